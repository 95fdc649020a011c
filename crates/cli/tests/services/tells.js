// @ts-check
// Tells all that it knows: its environment and its arguments when it starts, what it was asked with every response and in its
// log. With DIES in its environment it ends after some responses.
import { createServer } from 'node:http';

const { TITLE, DOCUMENT, CONNECTION } = process.env;
if (TITLE) {
  process.title = TITLE;
  process.on('SIGTERM', () => {});
}
const tell = () => {
  console.error(JSON.stringify({ env: process.env, argv: process.argv }));
  console.error(
    'parts',
    DOCUMENT && JSON.parse(DOCUMENT).db.pw,
    CONNECTION?.split(/[;=]/),
    process.env.KEY_OF_SCRIPT,
  );
};
let left = process.env.DIES ? 30 : Infinity;

tell();
createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    console.log(
      JSON.stringify({ url: request.url, headers: request.headers, body }),
      request.url?.split(/[;?=]/),
    );
    response.statusCode = request.url?.startsWith('/refused') ? 500 : 200;
    response.setHeader('location', request.url ?? '');
    response.end(
      JSON.stringify({ url: request.url, headers: request.headers, body, env: process.env.CANARY_ENV }),
    );
    left -= 1;
    if (left <= 0) {
      tell();
      process.exit(3);
    }
  });
}).listen(process.env.PORT, '127.0.0.1');
