// @ts-check
/** What is measured, as the program takes it: a plan on standard input, or the names of files. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

/** @import { Plan } from './types/plan.js' */
/** @typedef {Extract<Plan['target'], object>} Target the service alone, such as `{ url, command }` */
/** @typedef {Plan | Target | URL | string} PlanSource a plan, a service, its URL, or the path of a plan */

/** Keys of an action that have a list of actions in them, as `actions`. */
export const NESTING = ['chance', 'once', 'repeat', 'when'];

/**
 * Keys whose values are names of files. The program resolves them against the directory of the plan, and an object has none.
 * `[]` stands for each of a list or of a map, `**` for each of a list of actions and of those that are in them.
 */
export const FILE_KEYS = [
  'fleet.key',
  'scenario.actions.**.request.body_file',
  'scenario.after.**.request.body_file',
  'scenario.before.**.request.body_file',
  'scenario.journeys.[].actions.**.request.body_file',
  'scenario.requests.[].body_file',
  'scenario.requests.[].grpc.import_paths',
  'scenario.requests.[].grpc.proto',
  'scenario.variables.[].file',
  'target.auth.basic.password_file',
  'target.auth.bearer_file',
  'target.beside.[].stand_in.responses.[].body_file',
  'target.beside.[].stand_in.responses.[].response_time.run',
  'target.beside.[].working_dir',
  'target.tls.ca',
  'target.tls.cert',
  'target.tls.key',
  'target.working_dir',
];

/**
 * @typedef {object} Given
 * @property {string[]} args names of plans
 * @property {string} [input] for standard input
 * @property {() => void} [remove] removes what was written for it
 */

/** @param {PlanSource} source @param {string} cwd @returns {Given} */
export function given(source, cwd) {
  const path = pathOf(source);
  return path === undefined ? { args: ['-'], input: text(source, cwd) } : { args: [path] };
}

/** Several plans; those that are objects become files that only this user can read. @param {PlanSource[]} sources @param {string} cwd @returns {Given} */
export function givenAll(sources, cwd) {
  if (sources.length === 1) return given(/** @type {PlanSource} */ (sources[0]), cwd);
  if (sources.every((source) => pathOf(source) !== undefined))
    return { args: sources.map((source) => String(pathOf(source))) };
  const directory = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    /** @type {Set<string>} */
    const taken = new Set();
    const args = sources.map((source, index) => {
      const path = pathOf(source);
      if (path !== undefined) return path;
      const wanted = nameOf(source);
      const name = wanted && !taken.has(wanted) ? wanted : String.fromCharCode(97 + index);
      taken.add(name);
      const file = join(directory, `${name}.json`);
      writeFileSync(file, text(source, cwd), { mode: 0o600, flag: 'wx' });
      return file;
    });
    return { args, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Variants are called like the files of their plans. @param {PlanSource} source */
function nameOf(source) {
  const { name } = /** @type {{ name?: unknown }} */ (source);
  return typeof name === 'string' && /^\w[\w .-]{1,60}$/.test(name) ? name : undefined;
}

/** The argument for what has a name already. @param {PlanSource} source */
function pathOf(source) {
  if (source instanceof URL) return source.href;
  if (typeof source !== 'string') return undefined;
  // Else it would be an option, or standard input.
  return source.startsWith('-') ? `./${source}` : source;
}

/** @param {PlanSource} source @param {string} cwd */
function text(source, cwd) {
  if (typeof source !== 'object' || source === null || Array.isArray(source))
    throw new TypeError(`expected a plan, the path of one or the URL of a service, found ${String(source)}`);
  // As it is sent: what stands in it twice are two things then.
  const copy = JSON.parse(JSON.stringify(source));
  const plan = 'target' in source ? copy : { target: copy };
  for (const key of FILE_KEYS) makeAbsolute(plan, key.split('.'), cwd);
  // It has no file to be called after. In lines, because errors name the line.
  return `${JSON.stringify({ name: basename(cwd) || 'service', ...plan }, null, 2)}\n`;
}

/** @param {unknown} within @param {string[]} keys @param {string} cwd */
function makeAbsolute(within, [key = '', ...rest], cwd) {
  if (typeof within !== 'object' || within === null) return;
  if (key === '**') {
    for (const action of allActions(within)) makeAbsolute(action, rest, cwd);
    return;
  }
  const object = /** @type {Record<string, unknown>} */ (within);
  for (const each of key === '[]' ? Object.keys(object) : [key]) {
    const value = object[each];
    if (rest.length > 0) makeAbsolute(value, rest, cwd);
    else if (typeof value === 'string') object[each] = resolve(cwd, value);
    else if (Array.isArray(value)) object[each] = value.map((path) => resolve(cwd, path));
  }
}

/** Actions of a list, with all that are in them. @param {unknown} actions */
function allActions(actions) {
  const all = new Set(listed(actions));
  // What is added on the way is visited as well, each once.
  for (const action of all)
    for (const key of NESTING) for (const inner of listed(action?.[key]?.actions)) all.add(inner);
  return all;
}

/** @param {unknown} actions @returns {any[]} */
const listed = (actions) => (Array.isArray(actions) ? actions : []);
