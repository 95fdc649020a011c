// @ts-check
/**
 * The store in a document database, by MongoDB's own driver. A profile is a document of its own; one that was removed
 * leaves its version behind for a day, so that a change that comes late does not bring it back.
 */

import { Binary, MongoBulkWriteError, MongoClient, MongoError } from 'mongodb';
import { redacted } from '../address.js';
import { Problem } from '../errors.js';

/** @import { Newcomer, ProfileChange, Store, User } from '../ports.js' */

/** @typedef {{ _id: string, version: number, profile?: object, removed_at?: Date }} ProfileDocument */
/** @typedef {{ _id: string, salt: Uint8Array | null, secret_hash: Uint8Array | null }} UserDocument */

const DUPLICATE_KEY = 11_000;
const TOMBSTONE_S = 86_400;
const SELECTION_MS = 2_000;
const HEARTBEAT_MS = 1_000;

/**
 * @param {{ url: string, timeout_ms: number }} options mongodb://…, with the name of the database; the longest that one
 *   response may take
 * @returns {Promise<Store>}
 */
export async function openMongoStore({ url, timeout_ms }) {
  const client = new MongoClient(url, {
    appName: 'profile',
    writeConcern: { w: 'majority', journal: true },
    serverSelectionTimeoutMS: SELECTION_MS,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    socketTimeoutMS: timeout_ms,
  });
  let healthy = true;
  client.on('serverHeartbeatFailed', () => {
    healthy = false;
  });
  client.on('serverHeartbeatSucceeded', () => {
    healthy = true;
  });
  const database = client.db();
  /** @type {import('mongodb').Collection<ProfileDocument>} */
  const profiles = database.collection('profiles');
  /** @type {import('mongodb').Collection<UserDocument>} */
  const users = database.collection('users');
  try {
    await client.connect();
    await profiles.createIndex({ removed_at: 1 }, { expireAfterSeconds: TOMBSTONE_S });
  } catch (error) {
    await client.close();
    throw new Error(`failed to reach the store at ${redacted(url)}: ${/** @type {Error} */ (error).message}`);
  }

  /** @param {ProfileChange[]} changes @param {boolean} upsert */
  async function write(changes, upsert) {
    const operations = changes.map(({ id, version, text }) => ({
      updateOne: { filter: { _id: id, version: { $lt: version } }, update: contentOf(version, text), upsert },
    }));
    try {
      await profiles.bulkWrite(operations, { ordered: false });
      return [];
    } catch (error) {
      return duplicatesOf(error).map((index) => changes[index]);
    }
  }

  return {
    async readProfile(id) {
      const found = await told(profiles.findOne({ _id: id }, { projection: { profile: 1 } }));
      return found?.profile && JSON.stringify(found.profile);
    },

    async writeProfiles(changes) {
      // A document that is there with this version or a higher one is not found, and cannot be inserted again; nor can
      // one that another persister inserts at the same moment, with a lower version. The second is tried again.
      const there = await write(changes, true);
      if (there.length > 0) await write(there, false);
    },

    async readUser(id) {
      const found = await told(users.findOne({ _id: id }));
      return found === null
        ? undefined
        : { id, salt: bytesOf(found.salt), secret_hash: bytesOf(found.secret_hash) };
    },

    async createUsers(newcomers) {
      // The profile first: a user without one could never play, a profile without a user is found by the next attempt.
      const first = newcomers.map(({ profile }) => profile);
      return told(write(first, true).then(() => insertUsers(newcomers)));
    },

    healthy: () => healthy,
    close: () => client.close(),
  };

  /** @param {Newcomer[]} newcomers @returns {Promise<number>} */
  async function insertUsers(newcomers) {
    const documents = newcomers.map(({ user: { id, salt, secret_hash } }) => ({
      _id: id,
      salt,
      secret_hash,
    }));
    try {
      return (await users.insertMany(documents, { ordered: false })).insertedCount;
    } catch (error) {
      return documents.length - duplicatesOf(error).length;
    }
  }
}

/** @param {number} version @param {string | null} text */
function contentOf(version, text) {
  return text === null
    ? { $set: { version, removed_at: new Date() }, $unset: { profile: /** @type {const} */ ('') } }
    : { $set: { version, profile: JSON.parse(text) } };
}

/**
 * The operations of a bulk that failed because their document is there already.
 * @param {unknown} error
 * @returns {number[]}
 * @throws what is anything else
 */
function duplicatesOf(error) {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return failures.map(({ index }) => index);
}

/** The driver gives bytes in a wrapping of its own. @param {Uint8Array | Binary | null} value */
function bytesOf(value) {
  return value instanceof Binary ? value.buffer : value;
}

/**
 * What fails while a client waits is told as a problem, not as a fault of this service.
 * @template T
 * @param {Promise<T>} response
 * @returns {Promise<T>}
 */
async function told(response) {
  try {
    return await response;
  } catch (error) {
    if (error instanceof MongoError)
      throw new Problem('store_unavailable', undefined, { headers: ['retry-after', '1'] });
    throw error;
  }
}
