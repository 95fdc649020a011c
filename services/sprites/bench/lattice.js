// @ts-check
/**
 * Ten million joins and leaves on the lattice: what each takes, how many holes there are, and how many members were moved.
 * The promises are checked as it goes. `node services/sprites/bench/lattice.js [OPERATIONS] [SEED]`
 */

import { Lattice } from '../src/lattice/lattice.js';

const operations = Number(process.argv[2] ?? 10_000_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 32);
const CHECKS = 20;

/** By Marsaglia's xorshift: the same numbers for the same seed. @param {number} state */
function numbers(state) {
  let word = state || 1;
  return () => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return (word >>> 0) / 2 ** 32;
  };
}

/**
 * Up to a million members, then as many leave as come, then most of them leave.
 * @param {string} name @param {Lattice} lattice @param {number[]} members @param {number} count @param {number} joins share
 * @param {() => number} random @param {number[]} free
 */
function phase(name, lattice, members, count, joins, random, free) {
  let others = 0;
  let ns = 0;
  let most = 0;
  for (let part = 0; part < CHECKS; part += 1) {
    const began = process.hrtime.bigint();
    for (let n = 0; n < count / CHECKS; n += 1) {
      if (members.length === 0 || random() < joins) {
        const member = free.pop() ?? members.length;
        members.push(member);
        lattice.join(member);
      } else {
        const at = Math.floor(random() * members.length);
        const member = members[at];
        members[at] = members[members.length - 1];
        members.pop();
        free.push(member);
        lattice.leave(member);
        others += lattice.changed.length > 1 ? 1 : 0;
      }
      if (lattice.holes > most) most = lattice.holes;
    }
    ns += Number(process.hrtime.bigint() - began);
    lattice.check();
  }
  const cells = lattice.extent;
  process.stdout.write(
    `${name.padEnd(8)} ${count} operations, ${(ns / count).toFixed(0)} ns each; then ${lattice.size} members, ` +
      `${lattice.holes} holes (${cells === 0 ? 0 : ((100 * lattice.holes) / cells).toFixed(2)} %), at most ${most}; ` +
      `${others} leaves moved somebody\n`,
  );
}

const random = numbers(seed);
const lattice = new Lattice();
/** @type {number[]} */
const members = [];
/** @type {number[]} */
const free = [];
process.stdout.write(`seed ${seed}\n`);
phase('growing', lattice, members, operations * 0.15, 0.95, random, free);
phase('steady', lattice, members, operations * 0.6, 0.5, random, free);
phase('falling', lattice, members, operations * 0.25, 0.25, random, free);
