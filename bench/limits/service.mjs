// Uses the CPU for a fixed time with each request, however busy the machine is with other things.
import { createServer } from 'node:http';

const workUs = Number(process.env.WORK_US ?? 2000);

function usedUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

createServer((_request, response) => {
  const begin = usedUs();
  while (usedUs() - begin < workUs);
  response.end('ok');
}).listen(process.env.PORT, '127.0.0.1');
