// @ts-check
/**
 * What the service needs from the outside: a cache and a store. Each has an embedded implementation;
 * another (a cache server, a document database) has only to keep these promises.
 */

/**
 * Texts under keys, each with a time to live. May lose anything at any time.
 * @typedef {object} Cache
 * @property {(keys: string[]) => Promise<(string | undefined)[]>} getMany in one round trip, in the order of the keys
 * @property {(key: string, text: string, ttl_ms: number) => Promise<void>} set
 * @property {(key: string, text: string, ttl_ms: number) => Promise<string>} add sets the text if the key is
 *   absent; resolves to the text that the key then has
 * @property {(key: string, from: string, to: string, ttl_ms: number) => Promise<boolean>} replace sets `to`
 *   only if the key still has `from`; whether it did
 * @property {(key: string) => Promise<void>} delete
 * @property {() => number} size entries held, expired ones included
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
 * @property {(changes: ProfileChange[]) => Promise<void>} writeProfiles all or none; a change whose version is
 *   not above the stored one has no effect
 * @property {(id: string) => Promise<User | undefined>} readUser
 * @property {(newcomers: Newcomer[]) => Promise<number>} createUsers all or none, each with a first profile; one
 *   that exists is left as it is; how many were new
 * @property {() => boolean} healthy
 * @property {() => Promise<void>} close after what was asked before is done
 */

export {};
