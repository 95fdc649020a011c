// @ts-check
/**
 * Settings of the machine, changed for a while. What they were is written down before the first of them is changed, so that they are
 * put back at the end, by a signal, and at the next start if this process was killed.
 */

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A directory that is empty after the machine has started, as the settings are what they were, and that root alone can write. */
const JOURNAL = '/run/plimsoll-host-settings.json';

/** @typedef {{ pid: number, before: Record<string, string> }} Journal */

/**
 * @param {object} [options]
 * @param {string} [options.directory] of the settings
 * @param {string} [options.journal]
 * @param {(text: string) => void} [options.say]
 */
export function createKeeper({
  directory = '/proc/sys',
  journal = JOURNAL,
  say = (text) => void process.stderr.write(`${text}\n`),
} = {}) {
  /** @type {Record<string, string>} */
  let before = {};

  /** @param {string} path */
  function read(path) {
    return readFileSync(join(directory, path), 'utf8').trim().replaceAll('\t', ' ');
  }

  /** Only what is there: a setting is never made. @param {string} path @param {string} value */
  function write(path, value) {
    const file = openSync(join(directory, path), 'r+');
    try {
      writeSync(file, `${value}\n`, 0);
    } finally {
      closeSync(file);
    }
  }

  function restore() {
    if (Object.keys(before).length === 0) return;
    const failed = Object.entries(before).flatMap(([path, value]) => {
      try {
        write(path, value);
        return [];
      } catch (error) {
        return [`${path} = "${value}" (${/** @type {Error} */ (error).message})`];
      }
    });
    if (failed.length > 0) throw new Error(`failed to put back ${failed.join(', ')}; they are in ${journal}`);
    before = {};
    rmSync(journal, { force: true });
  }

  /** Puts back what a run that was killed left behind. */
  function restoreLeft() {
    if (!existsSync(journal)) return;
    /** @type {Journal} */
    const left = JSON.parse(readFileSync(journal, 'utf8'));
    if (left.pid !== process.pid && existsSync(`/proc/${left.pid}`)) {
      throw new Error(
        `process ${left.pid} has changed settings of this machine; hint: wait until it has ended, or remove ${journal} if it is another program by now`,
      );
    }
    before = left.before;
    say(`putting back what a run left behind: ${Object.keys(before).join(', ')}`);
    restore();
  }

  restoreLeft();
  // Nothing waits here: a process that exits has no other turn.
  process.once('exit', restore);
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
    process.once(signal, () => process.exit(1));
  }

  return {
    /** @param {{ path: string, value: string }[]} settings */
    change(settings) {
      if (settings.length === 0) return;
      before = Object.fromEntries(settings.map(({ path }) => [path, read(path)]));
      const file = openSync(journal, 'wx', 0o600);
      try {
        writeSync(file, JSON.stringify({ pid: process.pid, before }));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      for (const { path, value } of settings) write(path, value);
    },
    restore,
  };
}
