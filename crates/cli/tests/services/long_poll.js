// Parks every request. Once ALL connections are there, it does what WHEN_FULL says: `reset 5, end 7` ends that many of
// them, `exit` ends the service; without it, some of the parked requests get a response every few milliseconds.
import { createServer } from 'node:http';

const all = Number(process.env.ALL ?? 200);
const whenFull = process.env.WHEN_FULL ?? '';
/** @type {Set<import('node:http').ServerResponse>} */
const parked = new Set();

const server = createServer((_req, res) => {
  parked.add(res);
  res.on('close', () => parked.delete(res));
  if (whenFull && parked.size === all) act();
});

function act() {
  if (whenFull === 'exit') process.exit(3);
  for (const [how, count] of whenFull.split(', ').map((part) => part.split(' '))) {
    for (const res of [...parked].slice(0, Number(count))) {
      parked.delete(res);
      if (how === 'reset') res.socket?.resetAndDestroy();
      else res.socket?.end();
    }
  }
}

if (!whenFull) {
  setInterval(() => {
    for (const res of [...parked].slice(0, 20)) {
      parked.delete(res);
      res.setHeader('sent-monotonic-ns', String(process.hrtime.bigint()));
      res.end('{"sprite":1}');
    }
  }, 5);
}

server.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
