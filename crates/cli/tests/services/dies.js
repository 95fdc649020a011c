import { createServer } from 'node:http';

let served = 0;
createServer((_req, res) => {
  res.end('ok');
  served += 1;
  if (served === 150) {
    console.error('out of cheese');
    process.exit(3);
  }
}).listen(process.env.PORT, '127.0.0.1');
