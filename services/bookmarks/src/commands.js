// @ts-check
/** What users say, read: a line becomes a command, or a refusal that says what was expected. */

import { Refusal } from './errors.js';

/**
 * @typedef {{ name: 'add', url: string, title: string, tags: string[] }
 *   | { name: 'remove', id: number }
 *   | { name: 'search', words: string[], tags: string[] }
 *   | { name: 'export', format: Format }
 *   | { name: 'help' }} Command
 * @typedef {'json' | 'html'} Format
 */

export const HELP = `add URL [TITLE] [#TAG …]     keep a bookmark; one of the same URL is replaced
remove ID                    forget a bookmark
search WORD … or #TAG …      find bookmarks that have all of these in title, URL or tags
export [json | html]         all bookmarks as a file; html is what browsers import
help                         this`;

const MOST_CHARACTERS = 4_000;
const MOST_URL = 2_000;
const MOST_TITLE = 200;
const MOST_TAGS = 10;
const TAG = /^[a-z0-9-]{1,32}$/;

/** @param {unknown} line from outside @returns {Command} @throws {Refusal} */
export function readCommand(line) {
  if (typeof line !== 'string' || line.length > MOST_CHARACTERS) {
    throw new Refusal('invalid_line', `expected a text of at most ${MOST_CHARACTERS} characters`);
  }
  const [name = '', ...words] = line.trim().split(/\s+/);
  switch (name.toLowerCase()) {
    case 'add':
      return add(words);
    case 'remove':
      return { name: 'remove', id: readId(words) };
    case 'search':
      return search(words);
    case 'export':
      return { name: 'export', format: readFormat(words) };
    case 'help':
      return { name: 'help' };
    default:
      throw new Refusal(
        'unknown_command',
        `found "${clipped(name)}", expected add, remove, search, export or help`,
      );
  }
}

/** @param {string[]} words @returns {Command} */
function add([url = '', ...rest]) {
  const tags = readTags(rest);
  if (tags.length > MOST_TAGS)
    throw new Refusal('invalid_tag', `found ${tags.length} tags, expected at most ${MOST_TAGS}`);
  const title = rest.filter((word) => !word.startsWith('#')).join(' ');
  if (title.length > MOST_TITLE) {
    throw new Refusal('invalid_title', `found ${title.length} characters, expected at most ${MOST_TITLE}`);
  }
  return { name: 'add', url: readUrl(url), title, tags };
}

/** @param {string} text */
function readUrl(text) {
  const url = text.length <= MOST_URL && URL.canParse(text) ? new URL(text) : undefined;
  // Others, such as javascript:, would run where a browser has imported them.
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw new Refusal(
    'invalid_url',
    `found "${clipped(text)}", expected a URL of at most ${MOST_URL} characters that begins with http:// or https://`,
  );
}

/** Those of the words that are tags, each once. @param {string[]} words */
function readTags(words) {
  const tags = words.filter((word) => word.startsWith('#')).map((word) => word.slice(1).toLowerCase());
  const wrong = tags.find((tag) => !TAG.test(tag));
  if (wrong !== undefined) {
    throw new Refusal('invalid_tag', `found "#${clipped(wrong)}", expected # and 1 to 32 of a-z, 0-9 and -`);
  }
  return [...new Set(tags)];
}

/** @param {string[]} words */
function readId(words) {
  const [id = '', ...rest] = words;
  if (/^[1-9]\d{0,14}$/.test(id) && rest.length === 0) return Number(id);
  throw new Refusal('invalid_id', `found "${clipped(words.join(' '))}", expected the number of one bookmark`);
}

/** @param {string[]} words @returns {Command} */
function search(words) {
  if (words.length === 0) throw new Refusal('nothing_to_search', 'expected words, or tags such as #news');
  return { name: 'search', words: words.filter((word) => !word.startsWith('#')), tags: readTags(words) };
}

/** @param {string[]} words @returns {Format} */
function readFormat([format = 'json', ...rest]) {
  if ((format === 'json' || format === 'html') && rest.length === 0) return format;
  throw new Refusal(
    'invalid_format',
    `found "${clipped([format, ...rest].join(' '))}", expected json or html`,
  );
}

/** What is repeated of what somebody said. @param {string} text */
function clipped(text) {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
