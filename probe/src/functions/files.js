// @ts-check
// The synchronous functions of `fs`, and the asynchronous ones, which queue in the threadpool.

import fs from 'node:fs';
import { createSampling, take } from '../sampling.js';
import { siteHere } from '../sites.js';
import { quietly, state } from '../state.js';
import { counted, replace, sizeOf, wrap } from '../wrap.js';

const READS = [
  'accessSync',
  'existsSync',
  'fstatSync',
  'globSync',
  'lstatSync',
  'openSync',
  'opendirSync',
  'readFileSync',
  'readSync',
  'readdirSync',
  'readlinkSync',
  'readvSync',
  'realpathSync',
  'statSync',
  'statfsSync',
];
const WRITES = [
  'appendFileSync',
  'chmodSync',
  'chownSync',
  'closeSync',
  'copyFileSync',
  'cpSync',
  'fdatasyncSync',
  'fsyncSync',
  'ftruncateSync',
  'futimesSync',
  'linkSync',
  'mkdirSync',
  'mkdtempSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'symlinkSync',
  'truncateSync',
  'unlinkSync',
  'utimesSync',
  'writeFileSync',
  'writevSync',
];
const QUEUED = [
  'access',
  'appendFile',
  'copyFile',
  'fsync',
  'lstat',
  'mkdir',
  'open',
  'read',
  'readFile',
  'readdir',
  'realpath',
  'rename',
  'rm',
  'stat',
  'unlink',
  'write',
  'writeFile',
];

export function wrapFiles() {
  for (const key of READS) wrap(fs, key, `fs.${key}`, 'file-read', sizeOf);
  for (const key of WRITES) wrap(fs, key, `fs.${key}`, 'file-write', sizeOfData);
  for (const key of QUEUED) wrap(fs, key, `fs.${key}`, 'pool', key === 'read' ? sizeAsked : () => 0);
  for (const key of QUEUED) wrap(fs.promises, key, `fs.promises.${key}`, 'pool', () => 0);
  replace(fs, 'writeSync', writer);
  wrapStreams();
}

/** Lines that make streams of files, by the stream. @type {WeakMap<object, number>} */
const made = new WeakMap();

/** Nobody of the service is on the stack when a stream reads: the line that made it stands for its reads. */
function wrapStreams() {
  const stacks = createSampling(state.stacks_per_s);
  replace(fs, 'createReadStream', (original) => {
    return {
      /** @this {unknown} @param {any[]} args */
      createReadStream(...args) {
        const stream = Reflect.apply(original, this, args);
        if (state.on && --stacks.left <= 0) {
          quietly(() => {
            take(stacks);
            made.set(stream, siteHere('fs.read'));
          });
        }
        return stream;
      },
    }.createReadStream;
  });
  replace(fs.ReadStream.prototype, '_read', (original) => {
    return {
      /** @this {object} @param {any[]} args */
      _read(...args) {
        const outer = state.site;
        state.site = made.get(this) ?? 0;
        try {
          return Reflect.apply(original, this, args);
        } finally {
          state.site = outer;
        }
      },
    }._read;
  });
}

/** @param {unknown} _ @param {any[]} args of `fs.read` */
function sizeAsked(_, args) {
  const length = typeof args[1] === 'object' && !ArrayBuffer.isView(args[1]) ? args[1]?.length : args[3];
  return typeof length === 'number' ? length : 0;
}

/** @param {unknown} _ @param {any[]} args */
function sizeOfData(_, args) {
  return sizeOf(args[1]);
}

/** Loggers write to the descriptor of an output themselves. @param {Function} original */
function writer(original) {
  const toFile = counted(original, 'fs.writeSync', 'file-write', sizeOfData);
  const toOutput = counted(original, 'fs.writeSync of stdout and stderr', 'output', sizeOfData);
  return {
    /** @this {unknown} @param {any[]} args */
    writeSync(...args) {
      const output = args[0] === 1 || args[0] === 2;
      return Reflect.apply(output ? toOutput : toFile, this, args);
    },
  }.writeSync;
}
