// @ts-check
/**
 * What this machine still lacks for a study, before anything is measured: `node studies/lib/doctor.js`, as a program of a study.
 * PLIMSOLL is the program that runs the study, STUDY_SIZE how many connections it needs.
 */

import { spawnSync } from 'node:child_process';

/** @typedef {{ name: string, state: 'ok' | 'warning' | 'bad' | 'unknown', found: string, why: string, fix: string | null }} Check */

/**
 * Says what is wrong, and throws where it makes the study impossible.
 * @param {{ connections?: number, say?: (text: string) => void }} [options]
 * @returns {Check[]}
 */
export function examine({ connections, say = (text) => void process.stderr.write(`${text}\n`) } = {}) {
  const program = process.env.PLIMSOLL ?? 'plimsoll';
  const args = connections === undefined ? [] : ['--connections', `${connections}`];
  const { stdout, stderr, error } = spawnSync(program, ['doctor', '--json', ...args], { encoding: 'utf8' });
  if (error !== undefined) {
    throw new Error(
      `failed to run ${program} doctor: ${error.message}; hint: PLIMSOLL=target/release/plimsoll`,
    );
  }
  /** @type {Check[]} */
  let checks;
  try {
    checks = JSON.parse(stdout);
  } catch {
    throw new Error(`failed to read what ${program} doctor prints: ${stderr || stdout}`);
  }
  const lines = checks.map(({ name, state, found, fix }) => ({
    state,
    text: `${name}: ${found}${fix === null ? '' : `; hint: ${fix}`}`,
  }));
  for (const { state, text } of lines) if (state === 'warning') say(`warning: ${text}`);
  const bad = lines.filter(({ state }) => state === 'bad');
  if (bad.length > 0) {
    const wanted = connections === undefined ? 'this study' : `${connections} connections`;
    throw new Error(
      `this machine is not ready for ${wanted}: ${bad.map(({ text }) => text).join('. ')}. Or choose a smaller size: --size`,
    );
  }
  return checks;
}

if (process.argv[1] === import.meta.filename) {
  const size = process.env.STUDY_SIZE;
  try {
    examine(size === undefined ? {} : { connections: Number(size) });
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    process.exitCode = 1;
  }
}
