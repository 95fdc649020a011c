// @ts-check
// The synchronous functions of `fs`, and the asynchronous ones, which queue in the threadpool.

import fs from 'node:fs';
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
  for (const key of QUEUED) wrap(fs, key, `fs.${key}`, 'pool', () => 0);
  for (const key of QUEUED) wrap(fs.promises, key, `fs.promises.${key}`, 'pool', () => 0);
  replace(fs, 'writeSync', writer);
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
