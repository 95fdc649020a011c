// Responds at once up to 300 requests per second, with a bucket for a fifth of a second; the rest gets 429.
import { createServer } from 'node:http';

const RATE_PER_S = 300;
const BURST = 60;
let tokens = BURST;
let filled_ms = performance.now();

createServer((_req, res) => {
  const now_ms = performance.now();
  tokens = Math.min(BURST, tokens + ((now_ms - filled_ms) * RATE_PER_S) / 1000);
  filled_ms = now_ms;
  if (tokens < 1) {
    res.writeHead(429).end();
    return;
  }
  tokens -= 1;
  res.end('ok');
}).listen(process.env.PORT, '127.0.0.1');
