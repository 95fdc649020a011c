// @ts-check
/**
 * What the process of a service does: environment in, exit code out. It starts the service, and stops it when it is told
 * to; then it ends by itself, because nothing is left open.
 */

/**
 * @template Config
 * @param {(env: Record<string, string | undefined>) => Config} readConfig
 * @param {(config: Config) => Promise<{ stop: () => Promise<void> }>} start
 */
export async function runProcess(readConfig, start) {
  const starting = Promise.resolve().then(() => start(readConfig(process.env)));
  let stopping = false;
  // Whoever reads that the service listens may end it before `start` has returned.
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      try {
        const service = await starting;
        await service.stop();
      } catch (error) {
        fail('stop cleanly', error);
      }
    });
  }
  try {
    await starting;
  } catch (error) {
    fail('start', error);
  }
}

/** @param {string} what @param {unknown} error */
function fail(what, error) {
  process.stderr.write(`failed to ${what}: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
