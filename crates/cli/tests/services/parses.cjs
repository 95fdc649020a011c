// Parses the same text at each request, unless it is told to keep what it has: a cost that can be fixed.
const { createServer } = require('node:http');

const text = JSON.stringify(
  Array.from({ length: 5000 }, (_, number) => ({ number, name: `item ${number}` })),
);
const kept = process.env.KEEP ? JSON.parse(text) : undefined;

createServer(function respond(_request, response) {
  const items = kept ?? JSON.parse(text);
  response.end(items[7].name);
}).listen(Number(process.env.PORT), '127.0.0.1');
