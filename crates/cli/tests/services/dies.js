import { createServer } from 'node:http';

let answered = 0;
createServer((_req, res) => {
  res.end('ok');
  answered += 1;
  if (answered === 150) {
    console.error('out of cheese');
    process.exit(3);
  }
}).listen(process.env.PORT, '127.0.0.1');
