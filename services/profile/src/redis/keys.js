// @ts-check
/** What is kept in Redis under which key, and how a profile is written there: its ETag, a line break, its JSON. */

/** @param {string} session */
export const sessionKey = (session) => `session:${session}`;
/** @param {string} id */
export const profileKey = (id) => `profile:${id}`;
/** The ids of the profiles that the store does not have yet, oldest first. */
export const QUEUE = 'queue:profiles';
/** What a persister works on. @param {string} persister */
export const processingKey = (persister) => `processing:${persister}`;

/** The part of a profile that tells its states apart. @param {string} etag */
export const startOf = (etag) => `${etag}\n`;

/** @param {{ etag: string, text: string }} snapshot */
export const encode = ({ etag, text }) => startOf(etag) + text;

/** @param {string} value */
export function textOf(value) {
  return value.slice(value.indexOf('\n') + 1);
}

/** @param {string} value @returns {{ etag: string, version: number, text: string }} */
export function decode(value) {
  const end = value.indexOf('\n');
  // An ETag starts with a quote and the version.
  return {
    etag: value.slice(0, end),
    version: Number.parseInt(value.slice(1), 10),
    text: value.slice(end + 1),
  };
}
