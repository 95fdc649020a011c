// @ts-check
// Compression, on the loop and in the threadpool.

import zlib from 'node:zlib';
import { sizeOf, wrap } from '../wrap.js';

const METHODS = [
  'brotliCompress',
  'brotliDecompress',
  'deflate',
  'deflateRaw',
  'gunzip',
  'gzip',
  'inflate',
  'inflateRaw',
  'unzip',
  'zstdCompress',
  'zstdDecompress',
];

export function wrapZlib() {
  for (const key of METHODS) {
    wrap(zlib, `${key}Sync`, `zlib.${key}Sync`, 'zlib', (_, args) => sizeOf(args[0]));
    wrap(zlib, key, `zlib.${key}`, 'pool', (_, args) => sizeOf(args[0]));
  }
  // Streams compress in the threadpool; each is counted as it is made.
  for (const key of ['createGzip', 'createDeflate', 'createBrotliCompress', 'createZstdCompress']) {
    wrap(zlib, key, `zlib.${key}`, 'pool', () => 0);
  }
}
