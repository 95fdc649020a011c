// @ts-check
/** Starts the beamline of ioc/beamline.py: for the tests, the bench and whoever wants to try the service. */

import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PYTHON = fileURLToPath(new URL('../../../.tools/epics/bin/python', import.meta.url));
const BEAMLINE = fileURLToPath(new URL('../ioc/beamline.py', import.meta.url));
const GROUPS = fileURLToPath(new URL('../groups.json', import.meta.url));
const PORT_TRIES = 20;

/** @typedef {Awaited<ReturnType<typeof startIoc>>} Ioc */

/**
 * Resolves when the controller responds.
 * @param {number} [port] a free one if not given
 */
export async function startIoc(port) {
  if (!existsSync(PYTHON)) {
    throw new Error(`failed to start the controller: ${PYTHON} does not exist; hint: scripts/setup/epics`);
  }
  const own_port = port ?? (await freePort());
  const child = spawn(PYTHON, [BEAMLINE, '--port', `${own_port}`], { stdio: ['pipe', 'pipe', 'pipe'] });
  const said = child.stderr.toArray();
  const exited = once(child, 'exit');
  // A controller that was killed takes no more lines.
  child.stdin.on('error', () => {});
  const ready = await isReady(child.stdout);
  if (!ready) {
    const reason = Buffer.concat(await said).toString();
    throw new Error(`failed to start the controller on port ${own_port}: ${reason.trim()}`);
  }
  return {
    port: own_port,
    /** What a service needs in its environment to find this controller and its groups. */
    env: {
      EPICS_CA_ADDR_LIST: '127.0.0.1',
      EPICS_CA_SERVER_PORT: `${own_port}`,
      SNAPSHOT_GROUPS: GROUPS,
    },
    /** @param {string} name @param {string | number} value */
    set(name, value) {
      child.stdin.write(`${name} ${value}\n`);
    },
    /** @param {NodeJS.Signals} [signal] SIGKILL: as if the machine went away; SIGSTOP: as if it hung */
    async stop(signal = 'SIGTERM') {
      child.kill('SIGCONT');
      child.kill(signal);
      await exited;
    },
    hang: () => child.kill('SIGSTOP'),
    wake: () => child.kill('SIGCONT'),
  };
}

/** @param {import('node:stream').Readable} output */
async function isReady(output) {
  for await (const line of createInterface({ input: output })) {
    if (line === 'ready') {
      output.resume();
      return true;
    }
  }
  return false;
}

/** Channel Access takes the same number for UDP and TCP. */
async function freePort() {
  for (let left = PORT_TRIES; left > 0; left -= 1) {
    const udp = createSocket('udp4');
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const { port } = udp.address();
    const tcp = createServer();
    tcp.listen(port, '127.0.0.1');
    const free = await Promise.race([
      once(tcp, 'listening').then(() => true),
      once(tcp, 'error').then(() => false),
    ]).catch(() => false);
    udp.close();
    tcp.close();
    if (free) return port;
  }
  throw new Error('failed to find a port that is free for both UDP and TCP');
}
