// @ts-check
/** Bookmarks of many users, in one SQLite file. */

import sqlite from 'node-sqlite3-wasm';

/**
 * @typedef {object} Bookmark
 * @property {number} id
 * @property {string} url
 * @property {string} title perhaps empty
 * @property {string[]} tags
 * @property {number} added_ms since 1970
 */

const SCHEMA = `
CREATE TABLE IF NOT EXISTS bookmarks (
  id INTEGER PRIMARY KEY,
  user TEXT NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  tags TEXT NOT NULL,
  added_ms INTEGER NOT NULL,
  UNIQUE (user, url)
) STRICT`;

/** Tags are kept between blanks, so that each is found as a whole. @param {string[]} tags */
const joined = (tags) => tags.map((tag) => ` ${tag} `).join('');

/** @param {string} file `:memory:` for none */
export function openStore(file) {
  const db = new sqlite.Database(file);
  db.exec(SCHEMA);

  return {
    /** Replaces one of the same URL. @param {string} user @param {Omit<Bookmark, 'id'>} bookmark @returns {Bookmark} */
    add(user, { url, title, tags, added_ms }) {
      const row = db.get(
        `INSERT INTO bookmarks (user, url, title, tags, added_ms) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (user, url) DO UPDATE SET title = excluded.title, tags = excluded.tags
         RETURNING *`,
        [user, url, title, joined(tags), added_ms],
      );
      return bookmark(row);
    },

    /** Whether there was one. @param {string} user @param {number} id */
    remove(user, id) {
      return db.run('DELETE FROM bookmarks WHERE user = ? AND id = ?', [user, id]).changes > 0;
    },

    /** @param {string} user @param {string} url */
    has(user, url) {
      return db.get('SELECT 1 FROM bookmarks WHERE user = ? AND url = ?', [user, url]) !== null;
    },

    /** @param {string} user */
    count(user) {
      return Number(db.get('SELECT count(*) AS count FROM bookmarks WHERE user = ?', [user])?.count);
    },

    /**
     * Those that have all of these, the newest first.
     * @param {string} user
     * @param {{ words: string[], tags: string[] }} wanted
     * @param {number} most
     */
    search(user, { words, tags }, most) {
      const has = "(title || ' ' || url || ' ' || tags) LIKE ? ESCAPE '\\'";
      const conditions = [...words.map(() => has), ...tags.map(() => "tags LIKE ? ESCAPE '\\'")];
      const patterns = [
        ...words.map((word) => `%${escaped(word)}%`),
        ...tags.map((tag) => `% ${escaped(tag)} %`),
      ];
      const rows = db.all(
        `SELECT * FROM bookmarks WHERE ${['user = ?', ...conditions].join(' AND ')} ORDER BY id DESC LIMIT ?`,
        [user, ...patterns, most],
      );
      return rows.map(bookmark);
    },

    /** The oldest first. @param {string} user */
    all(user) {
      return db.all('SELECT * FROM bookmarks WHERE user = ? ORDER BY id', [user]).map(bookmark);
    },

    close: () => db.close(),
  };
}

/** @typedef {ReturnType<typeof openStore>} Store */

/** As a pattern that matches nothing but itself. @param {string} text */
function escaped(text) {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** @param {any} row @returns {Bookmark} */
function bookmark({ id, url, title, tags, added_ms }) {
  return { id: Number(id), url, title, tags: tags.split(' ').filter(Boolean), added_ms: Number(added_ms) };
}
