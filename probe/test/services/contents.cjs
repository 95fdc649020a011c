// Responses that say the same in several ways, and others.
const { createServer } = require('node:http');

const responses = {
  '/whole': (response) => response.end('h\u00e9llo!'),
  '/parts': (response) => {
    response.write('68', 'hex');
    response.write(Buffer.from('\u00e9l'));
    response.end(new Uint8Array(Buffer.from('lo!')));
  },
  '/other': (response) => response.end('hello!!'),
  '/none': (response) => response.writeHead(204).end(),
};

createServer(({ url }, response) => (responses[url] ?? responses['/other'])(response)).listen(
  process.env.PORT,
  '127.0.0.1',
);
