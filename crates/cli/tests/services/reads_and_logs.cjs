// Reads a file and prints an object at each request: two costs that a diagnosis has to find, each on its line.
const { readFileSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');

const file = `${process.cwd()}/content.txt`;
writeFileSync(file, 'content '.repeat(150_000));
const facts = Object.fromEntries(
  Array.from({ length: 120 }, (_, i) => [`fact ${i}`, { value: i, text: 'x'.repeat(20) }]),
);

createServer(function respond(request, response) {
  const content = readFileSync(file);
  console.log(request.url, facts);
  response.end(String(content.length));
}).listen(Number(process.env.PORT), '127.0.0.1');
