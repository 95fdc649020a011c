// @ts-check
/** What the bot replies to a line of a user. It knows no sockets. */

import { HELP, readCommand } from './commands.js';
import { Refusal } from './errors.js';
import { htmlFile, jsonFile } from './files.js';

/** @import { Bookmark, Store } from './store.js' */

/**
 * @typedef {{ ok: true, text: string, bookmarks?: Bookmark[], file?: import('./files.js').File, changed?: true }
 *   | { ok: false, code: string, text: string }} Reply `changed` where other devices of the user are to be told
 */

const MOST_FOUND = 50;

/** @param {Store} store @param {number} most_bookmarks of a user @param {() => number} now_ms */
export function createBot(store, most_bookmarks, now_ms) {
  /** @param {string} user @param {unknown} line from outside @returns {Reply} */
  return function reply(user, line) {
    try {
      return carryOut(user, readCommand(line));
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, code: error.code, text: error.message };
      throw error;
    }
  };

  /** @param {string} user @param {import('./commands.js').Command} command @returns {Reply} */
  function carryOut(user, command) {
    switch (command.name) {
      case 'add':
        return add(user, command);
      case 'remove':
        if (!store.remove(user, command.id)) {
          throw new Refusal(
            'no_such_bookmark',
            `found no bookmark ${command.id} of yours, expected a number that search shows`,
          );
        }
        return { ok: true, text: `removed ${command.id}`, changed: true };
      case 'search': {
        const bookmarks = store.search(user, command, MOST_FOUND);
        return { ok: true, text: bookmarks.map(line).join('\n') || 'nothing found', bookmarks };
      }
      case 'export': {
        const bookmarks = store.all(user);
        const file = command.format === 'html' ? htmlFile(bookmarks) : jsonFile(bookmarks);
        return { ok: true, text: `${bookmarks.length} bookmarks in ${file.name}`, file };
      }
      case 'help':
        return { ok: true, text: HELP };
    }
  }

  /** @param {string} user @param {{ url: string, title: string, tags: string[] }} command @returns {Reply} */
  function add(user, { url, title, tags }) {
    if (!store.has(user, url) && store.count(user) >= most_bookmarks) {
      throw new Refusal(
        'too_many_bookmarks',
        `you have ${most_bookmarks} bookmarks, which is as many as are kept`,
      );
    }
    const bookmark = store.add(user, { url, title, tags, added_ms: now_ms() });
    return { ok: true, text: `added ${line(bookmark)}`, bookmarks: [bookmark], changed: true };
  }
}

/** @param {Bookmark} bookmark */
function line({ id, url, title, tags }) {
  return [`${id}`, title, url, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' ');
}
