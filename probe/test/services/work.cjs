// A service with one route for each thing that the probe counts.
const child_process = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const zlib = require('node:zlib');
const { Worker } = require('node:worker_threads');
// Taken out of the modules before anything listens.
const { readFileSync } = fs;
const { pbkdf2Sync } = crypto;

const text = JSON.stringify({ list: Array.from({ length: 200 }, (_, index) => ({ index })) });
const closing = new http.Agent({ keepAlive: false });
const keeping = new http.Agent({ keepAlive: true });
const kept = [];

class PageError extends Error {
  constructor(message) {
    super(message); // line: in PageError, new Error
    Error.captureStackTrace(this, this.constructor); // line: in PageError, Error.captureStackTrace
  }
}
class NoSuchPage extends PageError {}

/** @type {Record<string, (url: URL) => unknown>} */
const routes = {
  '/': () => 'fine',
  '/parse': () => {
    JSON.parse(text); // line: JSON.parse
  },
  '/parse-many': () => {
    for (let call = 0; call < 500; call += 1) JSON.parse('[1,2,3]');
  },
  '/parse-other': () => {
    JSON.parse(`{"text": "${crypto.randomUUID()}"}`);
  },
  '/stringify': () => {
    JSON.stringify({ text }); // line: JSON.stringify
  },
  '/read': () => {
    readFileSync(__filename); // line: fs.readFileSync
  },
  '/write': () => {
    fs.writeFileSync('/dev/null', 'four'); // line: fs.writeFileSync
  },
  '/console': () => {
    console.log('hello'); // line: console.log
  },
  '/stdout': () => {
    process.stdout.write('hello\n'); // line: process.stdout.write
  },
  '/descriptor': () => {
    fs.writeSync(1, 'hello\n'); // line: fs.writeSync of stdout and stderr
  },
  '/derive': () => {
    pbkdf2Sync('secret', 'salt', 1000, 32, 'sha256'); // line: crypto.pbkdf2Sync
  },
  '/hash': () => {
    crypto.createHash('sha256').update('1234').digest('hex'); // line: Hash.update
  },
  '/random': () => {
    crypto.randomBytes(16); // line: crypto.randomBytes
  },
  '/gzip': () => {
    zlib.gzipSync(text); // line: zlib.gzipSync
  },
  '/spawn': () => {
    child_process.execFileSync('true'); // line: child_process.execFileSync
  },
  '/expression': () => {
    new RegExp(['a', 'b'].join('|')); // line: new RegExp
  },
  '/error': () => {
    new Error('made'); // line: new Error
  },
  '/stream': () =>
    new Promise((resolve, reject) => {
      const stream = fs.createReadStream(__filename, { start: 0, end: 1023, highWaterMark: 256 }); // line: fs.read
      stream.on('error', reject).on('end', resolve).resume();
    }),
  '/own-error': () => {
    new NoSuchPage('made'); // line: new NoSuchPage
  },
  '/capture': () => {
    Error.captureStackTrace({}); // line: Error.captureStackTrace
  },
  '/require': () => {
    require('./module.cjs'); // line: require
  },
  '/template': () => {
    const ejs = require('ejs');
    return ejs.compile('<p><%= text %></p>')({ text: 'hello' }); // line: ejs.compile
  },
  '/start': () =>
    new Promise((resolve) => {
      child_process.execFile('true', resolve); // line: child_process.execFile
    }),
  '/thread': () =>
    new Promise((resolve) => {
      new Worker('', { eval: true }).once('exit', resolve); // line: new Worker
    }),
  '/money': () => new Intl.NumberFormat('de').format(1.5), // line: new Intl.NumberFormat
  '/compare': () => {
    'a'.localeCompare('b', 'de');
    'a'.localeCompare('b', 'de', { numeric: true }); // line: String.localeCompare
  },
  '/day': () => new Date(0).toLocaleDateString('de', { month: 'long' }), // line: Date.toLocaleDateString
  '/schema': () => {
    const Ajv = require('ajv');
    return new Ajv().compile({ type: 'string' })('text'); // line: ajv.compile
  },
  '/zod': () => {
    const { z } = require('zod');
    return z.object({ text: z.string() }); // line: zod.object
  },
  '/pool': () =>
    new Promise((resolve) => {
      crypto.pbkdf2('secret', 'salt', 1000, 32, 'sha256', resolve); // line: crypto.pbkdf2
    }),
  '/through-package': () => {
    require(process.env.PACKAGE ?? '').parse(text); // line: through-package
  },
  '/through-deep-package': () => {
    require(process.env.PACKAGE ?? '').parse(text, 20); // line: through-deep-package
  },
  '/fetch': (url) => fetch(url.origin).then((response) => response.text()), // line: fetch
  '/http': (url) => httpGet(url.origin, closing),
  '/forget': (url) => {
    http.get(url.origin, { agent: keeping });
  },
  '/http-keeping': (url) => httpGet(url.origin, keeping),
  '/garbage': () => {
    let list = [];
    for (let index = 0; index < 200_000; index += 1) list = [list, index];
    kept.length = 0;
    kept.push(list);
  },
  '/stand-still': (url) => {
    const file = url.searchParams.get('until') ?? '';
    while (!fs.existsSync(file));
  },
  '/hang': () => new Promise(() => {}),
  '/hang-on': (url) => httpGet(`${url.origin}/hang`, keeping),
  '/exit': () => {
    process.exit(7);
  },
};

function httpGet(url, agent) {
  return new Promise((resolve, reject) => {
    const asked = http.get(url, { agent }, (response) => response.resume().on('end', resolve)); // line: http.get
    asked.on('error', reject);
  });
}

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, `http://${request.headers.host}`);
  const result = await routes[url.pathname]?.(url);
  response.setHeader('content-type', 'text/plain');
  response.end(String(result).padEnd(2000));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
