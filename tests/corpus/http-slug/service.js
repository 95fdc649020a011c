// Checks names of articles before they become addresses.
import { createServer } from 'node:http';

// Words of letters and digits, joined by hyphens.
const SLUG = /^([a-z0-9]+-?)+$/;

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://service');
  if (url.pathname === '/') return response.end('ok');
  const slug = url.searchParams.get('slug') ?? '';
  const valid = SLUG.test(slug); // planted: regex
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ slug, valid }));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
