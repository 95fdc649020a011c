// @ts-check
// What a service sends in the probe's name, and how.
const fs = require('node:fs');
const net = require('node:net');
const { join } = require('node:path');

const { socket, mode } = JSON.parse(process.env.PLIMSOLL_PROBE ?? '{}');
const PORT = Number(process.env.PORT);
const line = (/** @type {unknown} */ message) => `${JSON.stringify(message)}\n`;
const HELLO = line({
  type: 'hello',
  protocol: 'plimsoll.probe/1',
  pid: process.pid,
  thread_id: 0,
  cwd: __dirname,
});
const LISTENING = line({ type: 'listening', port: PORT });

/** @param {(socket: net.Socket) => void} [then] */
function connect(then) {
  const peer = net.connect(socket);
  peer.on('error', () => {});
  peer.on('connect', () => then?.(peer));
  return peer;
}

/** Writes what `make` gives as fast as it is taken, without an end. @param {() => string | Buffer} make */
function pour(make, first = HELLO + LISTENING) {
  connect((peer) => {
    peer.write(first);
    const more = () => {
      while (peer.write(make()));
    };
    peer.on('drain', more);
    more();
  });
}

/** Replies to commands with what `reply` gives. @param {(command: any, peer: net.Socket) => void} reply */
function obey(reply, first = HELLO + LISTENING) {
  connect((peer) => {
    peer.write(first);
    let rest = '';
    peer.on('data', (data) => {
      const lines = (rest + data).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) reply(JSON.parse(text), peer);
    });
  });
}

/** @param {object} profile */
const profiled =
  (profile) =>
  (/** @type {any} */ { type, id }, /** @type {net.Socket} */ peer) => {
    if (type.startsWith('start')) peer.write(line({ type: 'started', id }));
    else peer.write(line({ type: id === 1 ? 'profile' : 'allocations', id, profile }));
  };

const frame = (name = 'f', url = '') => ({ functionName: name, url, lineNumber: 0, columnNumber: 0 });
/** @param {number} count @param {(index: number) => any} make */
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
/** @param {object[]} nodes @param {number[]} samples */
const cpu = (nodes, samples) => ({
  nodes,
  startTime: 0,
  endTime: 1e9,
  samples,
  timeDeltas: samples.map(() => 1000),
});

/** A file beside the others of this run. @param {string} name @param {string} text */
function put(name, text) {
  const file = join(process.cwd(), name);
  fs.writeFileSync(file, text);
  return file;
}

/** Call sites in files with these source maps. @param {string[]} marks */
function mapped(marks) {
  const files = marks.map((mark, index) => put(`mapped-${index}.js`, `f();\n//# sourceMappingURL=${mark}\n`));
  const sites = files.map((file, index) =>
    line({
      type: 'site',
      id: index + 1,
      counter: 'JSON.parse',
      frames: [{ file, line: 1, column: 1, function: 'f', package: null }],
    }),
  );
  const hello = line({ type: 'hello', protocol: 'plimsoll.probe/1', cwd: process.cwd() });
  obey((_, peer) => peer.write(counters(files.length)), hello + LISTENING + sites.join(''));
}

/** 1, 2, 3 … */
function numbers() {
  let number = 0;
  return () => {
    number += 1;
    return number;
  };
}

let reports = 0;
/** @param {number} sites */
function counters(sites) {
  reports += 1;
  const figures = (/** @type {number} */ id) => ({
    id,
    calls: 1000 * reports,
    ns: 1e9 * reports,
    bytes: 10,
    watched: 1,
    seen_again: 1,
  });
  return line({
    type: 'counters',
    since_ms: 1000 * reports,
    counters: [{ name: 'JSON.parse', kind: 'json', calls: 1000 * reports, ns: 1e9 * reports }],
    sites: many(sites, (index) => figures(index + 1)),
    requests: { started: 100 * reports, followed: 100 * reports, followed_ns: 1e9 * reports },
  });
}

module.exports = {
  socket,
  mode,
  PORT,
  line,
  HELLO,
  LISTENING,
  connect,
  pour,
  obey,
  profiled,
  frame,
  many,
  cpu,
  put,
  mapped,
  numbers,
  counters,
};
