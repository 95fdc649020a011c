// Three thousand call sites.
const http = require('node:http');

const count = 3000;
const calls = Array.from({ length: count }, () => "() => JSON.parse('1'),\n").join('');
const list = new (require('node:module'))(__filename);
list._compile(`module.exports = [\n${calls}];`, `${__filename}.list.cjs`);

const server = http.createServer((_, response) => {
  for (const call of list.exports) call();
  response.end('fine');
});
server.listen(Number(process.env.PORT), '127.0.0.1');
