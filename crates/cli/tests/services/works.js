import { createServer } from 'node:http';

/** Microseconds of CPU time for each request, however busy the machine is with other things. */
const workUs = Number(process.env.WORK_US ?? 0);

function usedUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

createServer((_req, res) => {
  const begin = usedUs();
  while (usedUs() - begin < workUs);
  res.end('ok');
}).listen(process.env.PORT, '127.0.0.1');
