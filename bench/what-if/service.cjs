// One service for each cause. CASE says which; with REMOVED=1 the cause is gone from the code.
const { join } = require('node:path');
const { createRequire } = require('node:module');

const { CASE, PACKAGES, PORT } = process.env;
const is_there = process.env.REMOVED !== '1';
/** Packages that this repository does not have. */
const other = createRequire(join(PACKAGES ?? __dirname, 'package.json'));

const express = require('express');

const items = Array.from({ length: 120 }, (_, i) => ({ id: i, name: `item ${i}`, price: i * 1.17 }));
/** A page has more to it than one list. */
const page = Array.from(
  { length: 12 },
  (_, i) =>
    `<section class="<%= kind %>"><h2>Part ${i}: <%= title %></h2><ul><% for (const item of items) { %><li><%= item.name %>: <%= item.price %></li><% } %></ul></section>`,
).join('\n');
const view = { kind: 'list', title: 'items', items: items.slice(0, 5) };

const cases = {
  morgan(app) {
    if (is_there) app.use(require('morgan')('combined'));
    app.get('/', (_, response) => response.json(items.slice(0, 5)));
  },
  pino(app) {
    const pino = require('pino');
    const logger = pino(pino.destination({ dest: 1, sync: true }));
    app.get('/', (request, response) => {
      if (is_there) {
        for (let i = 0; i < 5; i++) logger.info({ url: request.url, headers: request.headers, i }, 'step');
      }
      response.json(items.slice(0, 5));
    });
  },
  winston(app) {
    const winston = require('winston');
    const logger = winston.createLogger({ transports: [new winston.transports.Console()] });
    app.get('/', (request, response) => {
      if (is_there) {
        for (let i = 0; i < 5; i++) logger.info('step', { url: request.url, headers: request.headers, i });
      }
      response.json(items.slice(0, 5));
    });
  },
  console(app) {
    app.get('/', (request, response) => {
      if (is_there) console.log(request.url, items.slice(0, 10));
      response.json(items.slice(0, 5));
    });
  },
  compression(app) {
    if (is_there) app.use(require('compression')());
    app.get('/', (_, response) => response.json(items));
  },
  etag(app) {
    if (!is_there) app.set('etag', false);
    const text = JSON.stringify(items).repeat(40);
    app.get('/', (_, response) => response.type('json').send(text));
  },
  read(app) {
    const { readFileSync } = require('node:fs');
    const file = require.resolve('express/package.json');
    const kept = readFileSync(file, 'utf8');
    app.get('/', (_, response) => {
      let length = 0;
      for (let i = 0; i < 8; i++) length += (is_there ? readFileSync(file, 'utf8') : kept).length;
      response.json({ length });
    });
  },
  intl(app) {
    const make = () => new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' });
    const kept = make();
    app.get('/', (_, response) => {
      const prices = [];
      for (let i = 0; i < 4; i++) prices.push((is_there ? make() : kept).format(i * 1.5));
      response.json(prices);
    });
  },
  regexp(app) {
    const words = items.map((item) => item.name).join('|');
    const pattern = `^(?:${words}|(?:[a-z]+\\d*)+?x)$`;
    const make = () => new RegExp(pattern, 'i');
    const kept = make();
    app.get('/', (_, response) => {
      let found = 0;
      for (const item of items) found += (is_there ? make() : kept).test(item.name) ? 1 : 0;
      response.json({ found });
    });
  },
  ajv(app) {
    const Ajv = require('ajv');
    const ajv = new Ajv();
    const schema = () => ({ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] });
    const kept = ajv.compile(schema());
    app.get('/', (_, response) => {
      const check = is_there ? ajv.compile(schema()) : kept;
      response.json({ valid: items.every((item) => check(item)) });
    });
  },
  ejs(app) {
    const ejs = require('ejs');
    const kept = ejs.compile(page);
    app.get('/', (_, response) => response.send(is_there ? ejs.render(page, view) : kept(view)));
  },
  handlebars(app) {
    const handlebars = require('handlebars');
    const text = '<ul>{{#each items}}<li>{{name}}: {{price}}</li>{{/each}}</ul>';
    const kept = handlebars.compile(text);
    app.get('/', (_, response) => response.send((is_there ? handlebars.compile(text) : kept)({ items })));
  },
  session(app) {
    const session = other('express-session');
    if (is_there) app.use(session({ secret: 'secret', resave: false, saveUninitialized: true }));
    app.get('/', (_, response) => response.json(items.slice(0, 5)));
  },
  helmet(app) {
    if (is_there) app.use(other('helmet')());
    app.get('/', (_, response) => response.json(items.slice(0, 5)));
  },
};

const app = express();
cases[CASE](app);
app.listen(Number(PORT), '127.0.0.1');
