// @ts-check
/** All simulated upstreams, and the port by which they are found, switched and watched. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createHistogram } from 'node:perf_hooks';
import { parseJson } from '@plimsoll/service-common/json.js';
import { Ajv } from 'ajv';
import { createHttpTransport } from '../src/upstream/http.js';
import { responseTimeSchema } from './distribution.js';
import { MODES } from './modes.js';
import { Upstream } from './upstream.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { ResponseTime } from './distribution.js' */

/** @typedef {{ seed: number, upstreams: Record<string, ResponseTime> }} FleetDescription */

/** Of a leader of the flow to each other upstream. */
const CONNECTIONS = 256;
const MOST_BYTES = 4_096;

const ajv = new Ajv();
const validFleet = ajv.compile({
  type: 'object',
  properties: {
    seed: { type: 'integer' },
    upstreams: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-z0-9-]{0,31}$' },
      additionalProperties: responseTimeSchema,
    },
  },
  required: ['seed', 'upstreams'],
  additionalProperties: false,
});
const validSwitch = ajv.compile({
  type: 'object',
  properties: { mode: { enum: MODES }, response_time: responseTimeSchema },
  additionalProperties: false,
  minProperties: 1,
});

/** @param {string} path @returns {FleetDescription} */
export function readFleet(path) {
  const value = JSON.parse(readFileSync(path, 'utf8'));
  if (validFleet(value)) return /** @type {FleetDescription} */ (value);
  throw new Error(`${path}: ${ajv.errorsText(validFleet.errors, { dataVar: '' })}`);
}

/**
 * @param {FleetDescription} description
 * @param {{ port: number, onUnused?: () => void }} options `port` of the control, 0 for a free one; `onUnused` is
 *   called when the last of those who held a lease is gone
 */
export async function startFleet({ seed, upstreams: described }, { port, onUnused = () => {} }) {
  /** @type {Map<string, string>} */
  const origins = new Map();
  const transport = createHttpTransport(CONNECTIONS);
  const upstreams = new Map(
    Object.entries(described).map(([name, response_time]) => [
      name,
      new Upstream({ name, response_time, seed, transport, origins }),
    ]),
  );
  for (const upstream of upstreams.values()) {
    await upstream.open();
    origins.set(upstream.name, upstream.origin);
  }
  let leases = 0;

  /** @param {IncomingMessage} req @param {ServerResponse} res */
  async function control(req, res) {
    const [, collection, name] = (req.url ?? '').split('/');
    const upstream = upstreams.get(name ?? '');
    if (req.method === 'GET' && req.url === '/origins') {
      sendJson(res, 200, Object.fromEntries(origins));
    } else if (req.method === 'GET' && req.url === '/upstreams') {
      sendJson(res, 200, Object.fromEntries([...upstreams].map(([key, value]) => [key, stateOf(value)])));
    } else if (req.method === 'GET' && req.url === '/process') {
      sendJson(res, 200, { pid: process.pid });
    } else if (req.method === 'GET' && req.url === '/lateness') {
      sendJson(res, 200, lateness(upstreams.values()));
    } else if (req.method === 'PUT' && collection === 'upstreams' && upstream !== undefined) {
      await change(upstream, req, res);
    } else if (req.method === 'GET' && req.url === '/lease') {
      // Never responded to: the open connection says that somebody still needs these upstreams.
      leases += 1;
      res.writeHead(200).flushHeaders();
      res.once('close', () => {
        leases -= 1;
        if (leases === 0) onUnused();
      });
    } else {
      sendJson(res, 404, {
        error: 'expected GET /origins, /upstreams, /process, /lateness or /lease, or PUT /upstreams/{name}',
      });
    }
  }

  const server = createServer((req, res) => void control(req, res));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    leases: () => leases,
    async stop() {
      transport.close();
      server.close();
      server.closeAllConnections();
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    },
  };
}

/** @param {Upstream} upstream @param {IncomingMessage} req @param {ServerResponse} res */
async function change(upstream, req, res) {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) text = (text + chunk).slice(0, MOST_BYTES);
  /** @type {{ mode?: import('./modes.js').Mode, response_time?: ResponseTime } | undefined} */
  let wanted;
  try {
    wanted = parseJson(text);
  } catch {
    wanted = undefined;
  }
  if (!validSwitch(wanted)) {
    return sendJson(res, 422, { error: ajv.errorsText(validSwitch.errors, { dataVar: '' }) });
  }
  const { mode, response_time } = /** @type {NonNullable<typeof wanted>} */ (wanted);
  if (response_time !== undefined) upstream.response_time = response_time;
  if (mode !== undefined) await upstream.setMode(mode);
  sendJson(res, 200, stateOf(upstream));
}

/** @param {Upstream} upstream */
function stateOf({ mode, response_time, counts, origin }) {
  return { origin, mode, response_time, ...counts };
}

/** Of all upstreams together. @param {Iterable<Upstream>} upstreams */
function lateness(upstreams) {
  const all = createHistogram();
  for (const upstream of upstreams) all.add(upstream.lateness);
  return {
    responses: all.count,
    p50_us: all.percentile(50),
    p99_us: all.percentile(99),
    p999_us: all.percentile(99.9),
    max_us: all.max,
  };
}

/** @param {ServerResponse} res @param {number} status @param {unknown} value */
function sendJson(res, status, value) {
  res.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(value)}\n`);
}
