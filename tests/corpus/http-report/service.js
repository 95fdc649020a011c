// The month's figures as a page, in the money and the days of whoever asks.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const sales = Array.from({ length: 6 }, (_, index) => ({
  at: new Date(Date.UTC(2026, 10, index + 1)),
  euros: 1000 + index * 37.5,
}));

function row({ at, euros }) {
  const money = new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }); // planted: constructed-per-request
  return `<tr><td>${at.toISOString().slice(0, 10)}</td><td>${money.format(euros)}</td></tr>`;
}

function head() {
  const names = [
    'head.html',
    'style.css',
    'menu.html',
    'banner.html',
    'style.css',
    'menu.html',
    'head.html',
    'style.css',
  ];
  return names.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n'); // planted: sync-file-read
}

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`${head()}<table>${sales.map(row).join('')}</table>`);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
