// @ts-check
/** The moments at which a request may send its message, before its response or after. Pure. */

/**
 * What a request can do.
 * @typedef {object} Ways
 * @property {(acknowledge: boolean) => Promise<unknown>} send resolves when the message was taken, or acknowledged
 * @property {() => void} respond
 * @property {(error: Error) => void} fail
 */

/** @type {Record<string, (ways: Ways) => void>} */
export const MOMENTS = {
  acknowledged: ({ send, respond, fail }) => void send(true).then(respond, fail),
  request: ({ send, respond, fail }) => void send(false).then(respond, fail),
  nextTick({ send, respond, fail }) {
    respond();
    process.nextTick(() => void send(false).catch(fail));
  },
  setImmediate({ send, respond, fail }) {
    respond();
    setImmediate(() => void send(false).catch(fail));
  },
};

/** @param {NodeJS.ProcessEnv} env */
export function fromEnv({ STUDY_SEND: moment = 'none given', STUDY_ZEROMQ_URL: url = '' }) {
  if (!Object.hasOwn(MOMENTS, moment)) {
    throw new Error(`STUDY_SEND must be one of ${Object.keys(MOMENTS).join(', ')}; found "${moment}"`);
  }
  if (!url.startsWith('tcp://127.0.0.1:')) {
    throw new Error(
      `STUDY_ZEROMQ_URL must be tcp://127.0.0.1:PORT; found "${url}"; hint: receiver.js prints it`,
    );
  }
  return { moment, url };
}
