// The manual, one long page.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const chapters = Array.from({ length: 120 }, (_, index) => {
  const text =
    `In step ${index} turn the handle ${index % 5} times, and wait until the lamp is green. `.repeat(9);
  return `<section id="c${index}"><h2>Chapter ${index}</h2><p>${text}</p></section>`;
});
const page = `<!doctype html><title>Manual</title>${chapters.join('\n')}`;
const etag = `"${createHash('sha256').update(page).digest('base64url')}"`;

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  response.setHeader('etag', etag);
  if (request.headers['if-none-match'] === etag) {
    response.statusCode = 304;
    return response.end();
  }
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(page); // planted: no-compression
});
server.listen(Number(process.env.PORT), '127.0.0.1');
