// @ts-check
// A service that speaks in the probe's name, in as many hostile ways as there are below: `node hostile.cjs KIND,KIND [SIZE]`.
// Its HTTP server is healthy; what is hostile runs in a thread of its own, and reads the environment as anything in a
// service could. SIZE multiplies what a kind makes: 1 for a test, 100 for a campaign.
const fs = require('node:fs');
const http = require('node:http');
const { execFileSync } = require('node:child_process');
const { isMainThread, Worker, workerData } = require('node:worker_threads');
const { join } = require('node:path');
const {
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
} = require('./hostile/speaking.cjs');

/** What is said, by kind. @type {Record<string, (size: number) => void>} */
const kinds = {
  // None, to compare with.
  quiet: () => {},
  // Lines.
  'endless-line': () => pour(() => 'x'.repeat(1 << 16), ''),
  'endless-site': () => pour(() => 'x'.repeat(1 << 16), `${HELLO}{"type":"site","id":1,"counter":"`),
  'half-lines': (size) => {
    for (let index = 0; index < 250; index += 1) {
      connect((peer) => peer.write(`${HELLO}{"type":"site","counter":"${'x'.repeat(5000 * size)}`));
    }
  },
  loris: () => {
    for (let index = 0; index < 20; index += 1) connect((peer) => peer.write(`${HELLO}{"type":"coun`));
  },
  // Floods.
  'small-messages': () => pour(() => LISTENING.repeat(1000)),
  'no-messages': () => pour(() => 'no JSON\n'.repeat(5000)),
  'empty-lines': () => pour(() => '\n'.repeat(50_000)),
  'empty-counters': () => pour(() => '{"type":"counters"}\n'.repeat(1000)),
  unknown: () => pour(() => '{"type":"weather","sun":true}\n'.repeat(1000)),
  errors: () => {
    let count = 0;
    pour(() =>
      line({ type: 'error', message: `\u001b[2J\u001b]0;owned\u0007${count++}${'x'.repeat(2000)}` }).repeat(
        20,
      ),
    );
  },
  'large-counters': () => {
    const names = many(500, (index) => ({
      name: `f${index}${'n'.repeat(400)}`,
      kind: 'json',
      calls: 2 ** 53,
      ns: 2 ** 53,
    }));
    const text = line({
      type: 'counters',
      since_ms: 1e300,
      counters: names,
      sites: many(1024, (id) => ({ id })),
      requests: { started: 2 ** 60 },
    });
    pour(() => text);
  },
  'empty-entries': () =>
    pour(() =>
      `{"type":"counters","sites":[${'{},'.repeat(1000)}{}],"counters":[${'{},'.repeat(500)}{}]}\n`.repeat(
        10,
      ),
    ),
  'long-lists': (size) => pour(() => `{"type":"counters","sites":[${'{},'.repeat(100_000 * size)}{}]}\n`),
  // Names.
  sites: () => {
    const next = numbers();
    const frames = many(9, (index) => ({
      file: `/srv/${'d'.repeat(900)}/${index}.js`,
      line: 1,
      column: 1,
      function: 'f'.repeat(500),
      package: null,
    }));
    pour(() => {
      const id = next();
      return line({ type: 'site', id, counter: `JSON.parse${id}`, frames });
    });
  },
  names: () => {
    const next = numbers();
    const one = () => ({ name: `f${next()}`, kind: `k${next()}`, calls: next(), ns: next() });
    const origin = () => ({ origin: `http://${next()}`, requests: next() });
    pour(() =>
      line({
        type: 'counters',
        since_ms: next(),
        counters: many(400, one),
        upstream: many(60, origin),
        requests: { started: next() },
      }),
    );
  },
  ports: () => pour(() => many(1000, (index) => line({ type: 'listening', port: index })).join('')),
  // What is no message.
  'wrong-types': () => {
    const texts = [
      '7',
      'null',
      '"x"',
      '[]',
      '{}',
      '{"type":7}',
      '{"type":"hello","pid":"x"}',
      '{"type":"site","frames":{}}',
      '{"type":"site","id":-1}',
      '{"type":"counters","counters":{"a":1}}',
      '{"type":"profile"}',
      '{"type":"profile","profile":7}',
      '{"type":"profile","id":1,"profile":{"nodes":[]}}',
      '{"type":"counters","loop":{"delays":[[1]]}}',
      '{"type":"bye","code":"x"}',
      '{"type":"hello","type":"bye"}',
      '{"type":"\\ud800"}',
      '\u0000\u0000',
      '{"type":"hello"}}',
      '{"type":"hello"',
    ];
    pour(() => texts.map((text) => `${text}\n`).join(''));
  },
  deep: (size) =>
    pour(
      () =>
        `{"type":"site","frames":${'['.repeat(10_000 * size)}\n{"type":"x","y":${'{"a":'.repeat(10_000)}\n`,
    ),
  'invalid-utf8': () => pour(() => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0x0a])),
  numbers: () => {
    const texts = [
      'NaN',
      '1e999',
      '-1',
      '-1e308',
      '1e308',
      '18446744073709551615',
      '18446744073709551616',
      '0.5',
      '-0',
      '1E400',
    ];
    pour(() =>
      texts
        .map(
          (number) =>
            `{"type":"counters","since_ms":${number},"requests":{"started":${number},"followed":${number}}}\n`,
        )
        .join(''),
    );
  },
  extremes: () => {
    const next = numbers();
    const most = '18446744073709551615';
    const sites = many(1000, (id) => `{"id":${id},"calls":${most},"ns":${most},"bytes":${most}}`).join(',');
    obey(
      (_, peer) => {
        const count = next();
        const figure = count > 1 ? most : '0';
        peer.write(
          `{"type":"counters","since_ms":${count > 1 ? '1e308' : '-1e308'},"counters":[{"name":"JSON.parse","kind":"json","calls":${figure},"ns":${figure}}],"sites":[${count > 1 ? sites : ''}],"requests":{"started":${figure},"followed":${figure},"followed_ns":${figure}},"loop":{"delays":[[1,${figure}],[null,${figure}]],"longest_delay_ns":${figure}},"cpu":{"process_ns":${figure},"thread_ns":${figure}},"memory":{"after_major_bytes":${figure},"after_major_count":${count}}}\n`,
        );
      },
      HELLO +
        LISTENING +
        many(1000, (id) =>
          line({
            type: 'site',
            id,
            counter: 'JSON.parse',
            frames: [{ file: `/srv/${id}.js`, line: 1, column: 1 }],
          }),
        ).join(''),
    );
  },
  // Who speaks.
  connections: (size) => {
    for (let index = 0; index < 1000 * size; index += 1)
      setTimeout(() => connect((peer) => peer.write(HELLO + LISTENING)), index / 10);
  },
  reconnecting: () => {
    const again = () =>
      connect((peer) => peer.end(`${HELLO}{"type":"counters"}\n`)).on('close', () => setImmediate(again));
    again();
  },
  pids: () =>
    pour(() =>
      many(100, (pid) =>
        line({ type: 'hello', protocol: 'plimsoll.probe/1', pid, thread_id: pid, cwd: '/' }),
      ).join(''),
    ),
  'no-hello': () => pour(() => LISTENING + counters(3), ''),
  processes: () => {
    const script = `const peer = require('net').connect(process.argv[1]); peer.on('error', () => {}); peer.write(process.argv[2].repeat(1000)); setTimeout(() => {}, 3000)`;
    const { NODE_OPTIONS: _, ...env } = process.env;
    for (let index = 0; index < 8; index += 1) {
      require('node:child_process')
        .spawn(process.execPath, ['-e', script, socket, HELLO], { stdio: 'ignore', env })
        .unref();
    }
  },
  // Silence.
  silent: () => connect((peer) => peer.write(HELLO + LISTENING)).pause(),
  working: () => obey(({ id }, peer) => setInterval(() => peer.write(line({ type: 'working', id })), 300)),
  'deaf-and-half': () => obey((_, peer) => peer.write('{"type":"profile","id":1,"profile":{"nodes":[')),
  // Profiles.
  'endless-profile': () =>
    obey(({ type }, peer) => {
      if (!type.startsWith('stop')) return;
      peer.write('{"type":"profile","id":1,"profile":{"nodes":[');
      const more = () => {
        while (peer.write('1,'.repeat(1 << 15)));
      };
      peer.on('drain', more);
      more();
    }),
  'many-profiles': (size) => {
    const profile = cpu(
      many(2000 * size, (index) => ({
        id: index + 1,
        callFrame: frame(`f${index}`),
        children: index === 0 ? many(2000 * size - 1, (child) => child + 2) : [],
      })),
      [1],
    );
    for (let index = 0; index < 40; index += 1) obey(profiled(profile));
  },
  cycle: () =>
    obey(
      profiled(
        cpu(
          [
            { id: 1, callFrame: frame(), children: [2] },
            { id: 2, callFrame: frame(), children: [1] },
          ],
          [1, 2],
        ),
      ),
    ),
  parentless: () =>
    obey(
      profiled(
        cpu(
          [
            { id: 1, callFrame: frame() },
            { id: 2, callFrame: frame() },
          ],
          [7, 2],
        ),
      ),
    ),
  'deep-stack': (size) =>
    obey(
      profiled({
        ...cpu(
          many(10_000 * size, (index) => ({
            id: index + 1,
            callFrame: frame(),
            children: [index + 2],
          })).concat({ id: 10_000 * size + 1, callFrame: frame() }),
          many(20_000, (index) => (index % 2 === 0 ? 1 : 10_000 * size)),
        ),
      }),
    ),
  'many-samples': (size) =>
    obey(
      profiled(
        cpu(
          [{ id: 1, callFrame: frame() }],
          many(100_000 * size, () => 1),
        ),
      ),
    ),
  'many-nodes': (size) =>
    obey(
      profiled(
        cpu(
          many(5000 * size, (index) => ({
            id: index + 1,
            callFrame: frame(`f${index}`, `/srv/${index}.js`),
            children: index === 0 ? many(5000 * size - 1, (child) => child + 2) : [],
            positionTicks: [{ line: index + 1, ticks: 1 }],
          })),
          [1, 2],
        ),
      ),
    ),
  'empty-nodes': (size) => obey(profiled({ nodes: many(50_000 * size, () => ({})), samples: [] })),
  'long-names': (size) =>
    obey(
      profiled(
        cpu(
          [{ id: 1, callFrame: frame('n'.repeat(100_000 * size), `file:///${'%20'.repeat(10_000 * size)}`) }],
          [1],
        ),
      ),
    ),
  'deep-heap': () =>
    obey(profiled({ head: JSON.parse(`${'{"children":['.repeat(1000)}${']}'.repeat(1000)}`) })),
  'unasked-profile': () =>
    pour(() => line({ type: 'profile', id: 1, profile: cpu([{ id: 1, callFrame: frame() }], [1]) })),
  // Files.
  maps: (size) => {
    for (const name of ['pipe.map', 'zero.map']) fs.rmSync(join(process.cwd(), name), { force: true });
    execFileSync('mkfifo', [join(process.cwd(), 'pipe.map')]);
    fs.symlinkSync('/dev/zero', join(process.cwd(), 'zero.map'));
    const map = (/** @type {object} */ more) =>
      JSON.stringify({ version: 3, sources: ['a.ts'], mappings: 'AAAA', ...more });
    put('many.map', map({ mappings: 'AAAA,'.repeat(50_000 * size) }));
    put('lines.map', map({ mappings: ';'.repeat(100_000 * size) }));
    put('sources.map', map({ sources: many(20_000 * size, () => '') }));
    put('wide.map', map({ mappings: `AAAA,${'g'.repeat(1000)}A,////////////` }));
    put(
      'sections.map',
      JSON.stringify({
        version: 3,
        sections: many(900, (at) => ({ offset: { line: at, column: 0 }, map: JSON.parse(map({})) })),
      }),
    );
    put(
      'self.map',
      JSON.stringify({ version: 3, sections: [{ offset: { line: 0, column: 0 }, url: 'self.map' }] }),
    );
    put('secret.map', map({ sources: ['file:///etc/passwd', '../../../../etc/shadow', '\u001b[2J'] }));
    const data = Buffer.from(map({ mappings: 'AAAA,'.repeat(10_000 * size) })).toString('base64');
    mapped([
      '/dev/zero',
      'file:///dev/zero',
      'zero.map',
      'pipe.map',
      '/proc/kmsg',
      '/proc/self/mem',
      `${'../'.repeat(6)}etc/passwd`,
      'many.map',
      'lines.map',
      'sources.map',
      'wide.map',
      'sections.map',
      'self.map',
      'secret.map',
      `data:application/json;base64,${data}`,
      'data:,',
      'mapped-0.js',
      '%00',
      '\u0301',
    ]);
  },
  'map-each': (size) => {
    put(
      'shared.map',
      JSON.stringify({ version: 3, sources: ['a.ts'], mappings: 'AAAA,'.repeat(100_000 * size) }),
    );
    mapped(many(8 * size, () => 'shared.map'));
  },
  paths: () => {
    const paths = [
      '/dev/zero',
      '/dev/stdin',
      '/proc/kmsg',
      '/proc/self/mem',
      '/proc/kcore',
      '/etc/passwd',
      '../../..',
      '',
      '/',
      '\u0000',
      '/\u001b[2J',
      `/${'d/'.repeat(3000)}`,
    ];
    const sites = paths.map((file, id) =>
      line({
        type: 'site',
        id: id + 1,
        counter: 'JSON.parse',
        frames: [{ file, line: 1, column: 1, function: '\u001b]0;owned\u0007', package: null }],
      }),
    );
    const profile = cpu(
      paths.map((file, index) => ({
        id: index + 1,
        callFrame: frame('\u001b[2Jf', file),
        children: index === 0 ? many(paths.length - 1, (child) => child + 2) : [],
        positionTicks: [{ line: 7, ticks: 9 }],
      })),
      many(1000, (index) => (index % paths.length) + 1),
    );
    const reply =
      mode === 'profile'
        ? profiled(profile)
        : (/** @type {any} */ _, /** @type {import('node:net').Socket} */ peer) =>
            peer.write(counters(paths.length));
    obey(reply, HELLO + LISTENING + sites.join(''));
  },
};

if (isMainThread) {
  if (process.argv[2] === '--list') {
    console.log(Object.keys(kinds).join('\n'));
  } else {
    for (const kind of process.argv[2].split(','))
      if (!(kind in kinds)) throw new Error(`there is no kind ${kind}`);
    http.createServer((_, response) => response.end('ok')).listen(PORT);
    if (socket) new Worker(__filename, { workerData: process.argv.slice(2), execArgv: [] });
  }
} else {
  const [kind, size] = workerData;
  // The server comes first, and with it the real probe.
  setTimeout(() => {
    for (const one of kind.split(',')) kinds[one](Number(size ?? 1));
  }, 100);
}
