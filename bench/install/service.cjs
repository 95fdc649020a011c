// @ts-check
// What a user has: a service of one file.
const { createServer } = require('node:http');

createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ time: new Date(), random: Math.random() }));
}).listen(Number(process.env.PORT), '127.0.0.1');
