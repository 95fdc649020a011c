// Does per request what need not be done again, and says in its response what came of it.
const fs = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');
const { gzipSync } = require('node:zlib');
const ejs = require('ejs');

const file = join(process.env.ROOT, 'price.txt');
let price = 0;
console.log('starting');

createServer((request, response) => {
  console.log('a request');
  fs.writeSync(1, 'written\n');
  process.stdout.write('streamed\n');
  price += 1;
  fs.writeFileSync(file, String(price));
  const bytes = fs.readFileSync(file);
  const read = String(bytes);
  bytes.fill(0);
  const format = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2 });
  const template = ejs.compile('<%= price %>');
  const body = JSON.stringify({
    read,
    format: format.format(1.5),
    is_formatter: format instanceof Intl.NumberFormat,
    same_format: format === global.format_before,
    same_template: template === global.template_before,
    text: template({ price: 3 }),
    other_options: ejs.render('<%= price %>', { price: 3 }, { delimiter: '?' }),
    compared: 'ä'.localeCompare('z', 'de', { sensitivity: 'base' }),
  });
  global.format_before = format;
  global.template_before = template;
  const accepts = /gzip/.test(request.headers['accept-encoding'] ?? '');
  response.writeHead(200, accepts ? { 'content-encoding': 'gzip' } : {});
  response.end(accepts ? gzipSync(body) : body);
}).listen(process.env.PORT);
