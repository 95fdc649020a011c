// A measurement service whose clients authenticate with a key, which is stored only as a derived one.
import { pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const ITERATIONS = 4000;
const derive = (key, salt) => pbkdf2Sync(key, salt, ITERATIONS, 32, 'sha256'); // planted: sync-crypto

const clients = new Map([['station-1', { salt: 'salt-1', derived: derive('secret-1', 'salt-1') }]]);

function authenticated({ headers }) {
  const client = clients.get(String(headers['x-client']));
  return (
    client !== undefined && timingSafeEqual(derive(String(headers['x-key']), client.salt), client.derived)
  );
}

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  if (!authenticated(request)) {
    response.statusCode = 401;
    return response.end();
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ station: request.headers['x-client'], celsius: 21.5 }));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
