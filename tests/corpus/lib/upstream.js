// Another team's service: responds to each GET after a while with a small JSON text. It is a process of its own and not
// under test, so the probe stays out of it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(import.meta.url);

/**
 * @param {{ delay_ms: number }} options
 * @returns {Promise<string>} its origin
 */
export async function startUpstream({ delay_ms }) {
  const { PLIMSOLL_PROBE, NODE_OPTIONS, ...env } = process.env;
  const child = fork(file, [String(delay_ms)], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [port] = await once(child, 'message');
  child.channel?.unref();
  child.unref();
  return `http://127.0.0.1:${port}`;
}

if (process.argv[1] === file) {
  const delay_ms = Number(process.argv[2]);
  const server = createServer((request, response) => {
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ path: request.url, value: 42, enabled: true }));
    }, delay_ms);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
  // It ends with the service that started it.
  process.on('disconnect', () => process.exit(0));
}
