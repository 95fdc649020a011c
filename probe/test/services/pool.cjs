// A service that has a thread of its own compute.
const http = require('node:http');
const { isMainThread, parentPort, Worker } = require('node:worker_threads');

/** @param {number} count */
function crunch(count) {
  let sum = 0;
  for (let index = 0; index < count * 1e5; index += 1) sum += Math.sqrt(index);
  return sum;
}

if (isMainThread) {
  const worker = new Worker(__filename);
  const server = http.createServer((_, response) => {
    worker.once('message', (sum) => response.end(String(sum)));
    worker.postMessage(20);
  });
  if (process.env.SERVES !== 'no') server.listen(Number(process.env.PORT), '127.0.0.1');
  else setTimeout(() => process.exit(5), 1000);
} else {
  parentPort?.on('message', (count) => parentPort?.postMessage(crunch(count)));
}
