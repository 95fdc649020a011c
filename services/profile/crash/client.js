// @ts-check
/**
 * A player who takes turns and remembers what was acknowledged. A turn without a response may have been taken or not,
 * but never twice; after it the player looks, and goes on from what is there.
 */

import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** @import { Agent } from 'node:http' */
/** @typedef {ReturnType<typeof createClient>} Client */

const RETRY_MS = 10;

/**
 * @typedef {object} Counts
 * @property {number} acknowledged turns with the response 200
 * @property {number} unknown turns that were not
 * @property {number} lost acknowledged turns that were gone afterwards
 * @property {number} duplicated turns that were taken twice
 */

/** @param {{ url: string, id: string, agent: Agent, counts: Counts, seen: () => void }} options `seen` is told each turn */
export function createClient({ url, id, agent, counts, seen }) {
  /** Turns that this player knows to be taken; each is a rest, and raises the version by one. */
  let turns = 0;
  let going = false;

  async function play() {
    while (going) {
      const profile = await ask('POST', '/turns', '{"action":"rest"}');
      if (profile === undefined) {
        counts.unknown += 1;
        await look();
        continue;
      }
      counts.acknowledged += 1;
      judge(profile, turns + 1, turns + 1);
      seen();
    }
  }

  async function look() {
    for (;;) {
      const profile = await ask('GET', '');
      if (profile !== undefined) {
        judge(profile, turns, turns + 1);
        return;
      }
      await wait(RETRY_MS);
    }
  }

  /** @param {import('../src/game/profile.js').Profile} profile @param {number} least @param {number} most turns in it */
  function judge({ counters, version }, least, most) {
    const found = counters.rests;
    if (version !== found + 1) throw new Error(`${id} has version ${version} after ${found} turns`);
    counts.lost += Math.max(0, least - found);
    counts.duplicated += Math.max(0, found - most);
    turns = found;
  }

  /**
   * @param {string} method @param {string} path @param {string} [body]
   * @returns {Promise<import('../src/game/profile.js').Profile | undefined>} undefined unless the response is 200
   */
  function ask(method, path, body) {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer token-${id}`, 'content-type': 'application/json' };
      const sent = request(`${url}/profiles/${id}${path}`, { method, headers, agent }, async (res) => {
        try {
          const text = Buffer.concat(await res.toArray()).toString();
          resolve(res.statusCode === 200 ? JSON.parse(text) : undefined);
        } catch {
          resolve(undefined);
        }
      });
      sent.on('error', () => resolve(undefined));
      sent.end(body);
    });
  }

  /** @type {Promise<void>} */
  let playing = Promise.resolve();
  return {
    id,
    turns: () => turns,
    look,
    start() {
      going = true;
      playing = play();
    },
    /** Ends after the turn that is being taken. */
    async stop() {
      going = false;
      await playing;
    },
  };
}
