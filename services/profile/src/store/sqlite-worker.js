// @ts-check
/** The thread that owns the database. It runs one message at a time; see sqlite.js for the other side. */

import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

/** @import { Newcomer, ProfileChange, User } from '../ports.js' */

// A profile is too large for a table without rowid, whose rows are kept in the nodes of the tree.
const SCHEMA = `
  create table if not exists profiles (id text primary key, version integer not null, text text not null);
  create table if not exists users (id text primary key, salt blob, secret_hash blob) without rowid;
`;

/** @type {ReturnType<typeof open>} */
let store;

/** @param {string} path */
function open(path) {
  const db = new Database(path);
  // A write-ahead log synced at each commit: a batch that was acknowledged survives a power cut.
  db.exec('pragma journal_mode = wal');
  db.exec('pragma synchronous = full');
  db.exec(SCHEMA);

  const selectProfile = db.prepare('select text from profiles where id = ?');
  const upsertProfile = db.prepare(
    `insert into profiles (id, version, text) values (?, ?, ?)
     on conflict (id) do update set version = excluded.version, text = excluded.text
     where excluded.version > profiles.version`,
  );
  const deleteProfile = db.prepare('delete from profiles where id = ? and version < ?');
  const selectUser = db.prepare('select id, salt, secret_hash from users where id = ?');
  const insertUser = db.prepare('insert or ignore into users (id, salt, secret_hash) values (?, ?, ?)');

  /** @param {ProfileChange} change */
  function writeProfile({ id, version, text }) {
    if (text === null) deleteProfile.run(id, version);
    else upsertProfile.run(id, version, text);
  }

  return {
    /** @param {string} id @returns {string | undefined} */
    readProfile: (id) => /** @type {{ text: string } | undefined} */ (selectProfile.get(id))?.text,

    writeProfiles: db.transaction((/** @type {ProfileChange[]} */ changes) => changes.forEach(writeProfile)),

    /** @param {string} id @returns {User | undefined} */
    readUser(id) {
      const row = /** @type {User | undefined} */ (selectUser.get(id));
      return row && { id: row.id, salt: row.salt, secret_hash: row.secret_hash };
    },

    createUsers: db.transaction((/** @type {Newcomer[]} */ newcomers) => {
      const fresh = newcomers.filter(
        ({ user }) => insertUser.run(user.id, user.salt, user.secret_hash).changes === 1,
      );
      for (const { profile } of fresh) writeProfile(profile);
      return fresh.length;
    }),

    close: () => void db.close(),
  };
}

parentPort?.on('message', ({ call, method, args }) => {
  try {
    if (method === 'open') {
      store = open(workerData.path);
      parentPort?.postMessage({ call });
      return;
    }
    // @ts-expect-error the method's name comes from sqlite.js, which asks only for those above
    parentPort?.postMessage({ call, value: store[method](...args) });
    if (method === 'close') parentPort?.close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ call, error: `${method} in ${workerData.path}: ${reason}` });
    if (method === 'open') parentPort?.close();
  }
});
