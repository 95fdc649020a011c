// Prints all that can be seen of the functions that the probe wraps, before and after it listens. What it prints must
// be the same with the probe and without.
const child_process = require('node:child_process');
const crypto = require('node:crypto');
const dns = require('node:dns');
const fs = require('node:fs');
const http = require('node:http');
const Module = require('node:module');
const net = require('node:net');
const util = require('node:util');
const vm = require('node:vm');
const worker_threads = require('node:worker_threads');
const zlib = require('node:zlib');

const owners = {
  JSON,
  Intl,
  NumberFormat: Intl.NumberFormat.prototype,
  Date: Date.prototype,
  Number: Number.prototype,
  console,
  globalThis: { fetch },
  child_process,
  crypto,
  Hash: crypto.Hash.prototype,
  dns,
  fs,
  promises: fs.promises,
  http,
  Module,
  Server: net.Server.prototype,
  vm,
  worker_threads,
  Worker: worker_threads.Worker.prototype,
  zlib,
};

function shape(owner, key) {
  const { value, ...attributes } = Object.getOwnPropertyDescriptor(owner, key) ?? {};
  if (typeof value !== 'function') return undefined;
  const own = Reflect.ownKeys(value).map(String).sort();
  const prototype = Object.getPrototypeOf(value) === Function.prototype ? 'Function' : 'other';
  return [value.name, value.length, attributes, own, prototype];
}

function outcome(action) {
  try {
    return { result: action() };
  } catch (error) {
    return { name: error.name, message: error.message, code: error.code };
  }
}

/** What can be seen of errors, their classes and their stacks. */
function errors() {
  class Own extends Error {
    constructor(message) {
      super(message);
      this.name = 'Own';
    }
  }
  function Old() {
    Error.captureStackTrace(this, Old);
  }
  Old.prototype = Object.create(Error.prototype);
  const top = (error) => error.stack.split('\n').slice(0, 3);
  const make = () => new Error('made', { cause: 1 });
  const capture = (holder) => {
    Error.captureStackTrace(holder);
    return holder;
  };
  const own = new Own('own');
  const tops = [make(), own, Error('called'), new Old(), capture({}), new TypeError('type')].map(top);
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  const lines = [make(), own, new RangeError('range')].map(({ stack }) => stack.split('\n').length);
  Error.stackTraceLimit = limit;
  Error.prepareStackTrace = (error, calls) => `${error.message} ${calls[0].getFunctionName()}`;
  const prepared = [make(), new Own('prepared'), capture({})].map(({ stack }) => stack);
  Error.prepareStackTrace = undefined;
  const classes = [
    own instanceof Error,
    Object.getPrototypeOf(Own) === Error,
    Object.getPrototypeOf(TypeError) === Error,
    make().constructor === Error,
    util.types.isNativeError(make()),
    Object.keys(Error),
  ];
  return {
    tops,
    lines,
    prepared,
    classes,
    limit,
    cause: make().cause,
    shown: util.inspect(make()).split('\n', 2),
  };
}

function expressions() {
  const [text, other, none, wrong] = ['a(b)', 'b', '', '('];
  const made = new RegExp(text, 'g');
  class Own extends RegExp {}
  return {
    result: ['ab'.match(made), RegExp.$1, 'xaby'.split(new RegExp(other)), 'ab'.replace(RegExp(other), 'c')],
    same: RegExp(made) === made,
    copied: [new RegExp(made, 'i').flags, new RegExp(/x/y).flags, String(new RegExp(none))],
    classes: [made instanceof RegExp, new Own(other) instanceof Own, new Own(other).test('b')],
    species: RegExp[Symbol.species] === RegExp,
    wrong: outcome(() => new RegExp(wrong)),
  };
}

function print(title) {
  const shapes = {};
  for (const [name, owner] of Object.entries(owners)) {
    for (const key of Reflect.ownKeys(owner)) {
      if (typeof key === 'string') shapes[`${name}.${key}`] = shape(owner, key);
    }
  }
  const { write } = process.stdout;
  shapes['stdout.write'] = shape({ write }, 'write');
  const circular = {};
  circular.self = circular;
  const seen = [];
  const outcomes = {
    errors: outcome(errors),
    expressions: outcome(expressions),
    reviver: outcome(() =>
      JSON.parse('{"a":{"b":1},"c":[2]}', function (key, value) {
        seen.push([key, this === undefined]);
        return typeof value === 'number' ? value + 1 : value;
      }),
    ),
    seen,
    nested: outcome(() =>
      JSON.parse('{"text":"{\\"a\\":1}"}', (key, value) => (key === 'text' ? JSON.parse(value) : value)),
    ),
    map: outcome(() => ['1', '2'].map(JSON.parse)),
    buffer: outcome(() => JSON.parse(Buffer.from('[1]'))),
    number: outcome(() => JSON.parse(1)),
    nothing: outcome(() => JSON.parse()),
    bad: outcome(() => JSON.parse('{')),
    toJSON: outcome(() => JSON.stringify({ at: { toJSON: (key) => `key ${key}` } })),
    replacer: outcome(() => JSON.stringify({ a: 1, b: [{ a: 2, c: 3 }] }, ['a', 'b'], 2)),
    undefined: outcome(() => JSON.stringify(undefined)),
    circular: outcome(() => JSON.stringify(circular)),
    bigint: outcome(() => JSON.stringify(1n)),
    missing: outcome(() => fs.readFileSync('/does/not/exist')),
    wrong: outcome(() => fs.readFileSync({})),
    native: outcome(() => fs.realpathSync.native('/')),
    detached: outcome(() => Reflect.apply(fs.existsSync, undefined, ['/'])),
    full: outcome(() => fs.writeFileSync('/dev/full', 'text')),
    derive: outcome(() => crypto.pbkdf2Sync('a', 'b', 1, 8, 'sha1').toString('hex')),
    digest: outcome(() => crypto.createHash('none')),
    twice: outcome(() => {
      const hash = crypto.createHash('sha1');
      hash.digest();
      hash.digest();
    }),
    gunzip: outcome(() => zlib.gunzipSync(Buffer.from('no'))),
    module: outcome(() => require('./none.cjs')),
    exists: outcome(() => typeof util.promisify(fs.exists)),
    command: outcome(() => child_process.execSync('exit 3', { stdio: 'ignore' })),
    format: outcome(() => new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }).format(12.5)),
    called: outcome(() => Intl.NumberFormat('de').format(1234.5)),
    wrongFormat: outcome(() => new Intl.NumberFormat('de', { style: 'currency' })),
    formatter: outcome(() => {
      class Money extends Intl.NumberFormat {}
      const made = new Money('de');
      const plain = new Intl.NumberFormat('de');
      return [
        made instanceof Money,
        plain.constructor === Intl.NumberFormat,
        plain instanceof Intl.NumberFormat,
      ];
    }),
    day: outcome(() => new Date(0).toLocaleDateString('de', { timeZone: 'UTC', month: 'long' })),
    compared: outcome(() => [
      'Äpfel 12'.localeCompare('Äpfel 2'),
      'Äpfel 12'.localeCompare('Äpfel 2', 'de', { numeric: true }),
      'a'.localeCompare(),
      String.prototype.localeCompare.call(12, 2, undefined, { numeric: true }),
      String.prototype.localeCompare.length,
      String.prototype.localeCompare.name,
    ]),
    wrongComparison: outcome(() => 'a'.localeCompare('b', 'de', { usage: 'none' })),
    comparedNothing: outcome(() => String.prototype.localeCompare.call(null, 'b', 'de', {})),
    worker: outcome(() => worker_threads.Worker()),
    stack: Error.stackTraceLimit,
    prepare: typeof Error.prepareStackTrace,
    listening: process.listenerCount('SIGTERM'),
  };
  fs.writeFileSync(process.argv[2], `${JSON.stringify({ title, shapes, outcomes })}\n`, { flag: 'a' });
}

print('before');
const server = http.createServer();
server.listen(0, '127.0.0.1', () => {
  print('after');
  server.close();
});
