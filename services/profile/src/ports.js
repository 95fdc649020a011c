// @ts-check
/**
 * What the service needs from the outside: a working set, which every request touches, and a store, which learns of
 * changes later. Each has an embedded and a real implementation; another has only to keep these promises.
 */

/**
 * A profile as text. `etag` is unlike that of any other state of the profile; `text` is `null` in JSON when the profile
 * was removed.
 * @typedef {{ id: string, version: number, etag: string, text: string }} Snapshot
 */

/**
 * `done`: it is in the working set and will reach the store. `changed`: the profile is no longer what it was thought
 * to be, and nothing was done. `full`: too many changes wait for the store, and nothing was done.
 * @typedef {'done' | 'changed' | 'full'} Outcome
 */

/**
 * Sessions and profiles at hand, and the queue of changes that the store does not have yet. It may forget a session at
 * any time, and a profile once the store has it; never a change that waits.
 * @typedef {object} WorkingSet
 * @property {(session: string, id?: string) => Promise<[string | undefined, string | undefined]>} look the texts of a
 *   session and of a profile, in one round trip
 * @property {(session: string, text: string, ttl_ms: number) => Promise<void>} openSession
 * @property {(id: string) => Promise<string | undefined>} profile
 * @property {(id: string) => Promise<string | undefined>} load brings a profile in from the store; resolves to what is
 *   then in the working set, which may be newer
 * @property {(from: { etag: string, text: string } | null, to: Snapshot) => Promise<Outcome>} commit replaces `from`, or
 *   nothing if that is null, and queues the change, both or neither
 * @property {() => number} waiting changes that wait for the store
 * @property {() => string | undefined} obstacle what stands in the way of requests
 */

/**
 * A profile on its way to the store; `text` is null when the profile is to be removed.
 * @typedef {{ id: string, version: number, text: string | null }} ProfileChange
 */

/** @typedef {{ id: string, salt: Uint8Array | null, secret_hash: Uint8Array | null }} User */

/** @typedef {{ user: User, profile: ProfileChange }} Newcomer */

/**
 * The durable side. A change that resolved is still there after the process is killed.
 * @typedef {object} Store
 * @property {(id: string) => Promise<string | undefined>} readProfile
 * @property {(changes: ProfileChange[]) => Promise<void>} writeProfiles a change whose version is not above the stored
 *   one has no effect, so that it may be written again; if it rejects, any part of them may have been written
 * @property {(id: string) => Promise<User | undefined>} readUser
 * @property {(newcomers: Newcomer[]) => Promise<number>} createUsers each with a first profile; one that exists is left
 *   as it is; how many were new
 * @property {() => boolean} healthy
 * @property {() => Promise<void>} close after what was asked before is done
 */

export {};
