// @ts-check
// What `crypto` computes while the caller waits, and what it gives to the threadpool.

import crypto from 'node:crypto';
import { counted, replace, sizeOf, wrap } from '../wrap.js';

const SYNC = [
  'checkPrimeSync',
  'createHash',
  'createHmac',
  'createSecretKey',
  'createPrivateKey',
  'createPublicKey',
  'diffieHellman',
  'generateKeyPairSync',
  'generateKeySync',
  'generatePrimeSync',
  'hash',
  'hkdfSync',
  'pbkdf2Sync',
  'privateDecrypt',
  'privateEncrypt',
  'publicDecrypt',
  'publicEncrypt',
  'randomFillSync',
  'scryptSync',
];
const QUEUED = [
  'checkPrime',
  'generateKey',
  'generateKeyPair',
  'generatePrime',
  'hkdf',
  'pbkdf2',
  'randomFill',
  'scrypt',
];
/** Synchronous unless the last argument is a callback. */
const EITHER = ['randomBytes', 'sign', 'verify'];
/** Classes that work in their methods. */
const METHODS = {
  Hash: ['update', 'digest'],
  Hmac: ['update', 'digest'],
  Sign: ['update', 'sign'],
  Verify: ['update', 'verify'],
  Cipheriv: ['update', 'final'],
  Decipheriv: ['update', 'final'],
};

export function wrapCrypto() {
  for (const key of SYNC) wrap(crypto, key, `crypto.${key}`, 'crypto', sizeOf);
  for (const key of QUEUED) wrap(crypto, key, `crypto.${key}`, 'pool', () => 0);
  for (const key of EITHER) {
    replace(crypto, key, (original) => {
      const sync = counted(original, `crypto.${key}`, 'crypto', sizeOf);
      const queued = counted(original, `crypto.${key} with callback`, 'pool', () => 0);
      return {
        /** @this {unknown} @param {any[]} args */
        either(...args) {
          return Reflect.apply(typeof args.at(-1) === 'function' ? queued : sync, this, args);
        },
      }.either;
    });
  }
  for (const [name, keys] of Object.entries(METHODS)) {
    const prototype = Reflect.get(crypto, name)?.prototype;
    for (const key of keys) wrap(prototype, key, `${name}.${key}`, 'crypto', (_, args) => sizeOf(args[0]));
  }
}
