// @ts-check
/** The query of a request: parsed, checked against a schema, and turned into what is wanted. */

import { Ajv } from 'ajv';
import { Problem } from '../errors.js';
import { parseWanted } from '../names.js';

/** @import { Wanted } from '../names.js' */

const ajv = new Ajv({ allErrors: true, coerceTypes: true });

const LONGEST_TIMEOUT_MS = 10_000;
const LONGEST_INTERVAL_MS = 60_000;
const SHORTEST_INTERVAL_MS = 50;

const NAMES = { type: 'array', items: { type: 'string', minLength: 1, maxLength: 100 } };
const SNAPSHOT = {
  pv: NAMES,
  group: NAMES,
  timeout_ms: { type: 'integer', minimum: 1, maximum: LONGEST_TIMEOUT_MS },
};
const EVENTS = {
  ...SNAPSHOT,
  interval_ms: { type: 'integer', minimum: SHORTEST_INTERVAL_MS, maximum: LONGEST_INTERVAL_MS },
};
/** Parameters that may be given several times, or once with commas. */
const LISTS = ['pv', 'group'];

/** @typedef {{ wanted: Wanted[], timeout_ms: number | undefined, interval_ms: number | undefined }} Query */

/**
 * @param {object} parts
 * @param {import('../groups.js').Groups} parts.groups
 * @param {number} parts.max_pvs
 */
export function createQueryReaders({ groups, max_pvs }) {
  return {
    snapshot: reader(SNAPSHOT),
    events: reader(EVENTS),
  };

  /**
   * @param {Record<string, object>} properties
   * @returns {(search: string) => Query} throws a Problem that names every fault
   */
  function reader(properties) {
    const valid = ajv.compile({ type: 'object', properties, additionalProperties: false });
    return (search) => {
      const query = parse(search);
      if (!valid(query)) throw invalid((valid.errors ?? []).map(fault));
      const { pv = [], group = [], timeout_ms, interval_ms } = query;
      return { wanted: collect(pv, group), timeout_ms, interval_ms };
    };
  }

  /** @param {string[]} names @param {string[]} groupNames @returns {Wanted[]} each name once */
  function collect(names, groupNames) {
    /** @type {Map<string, Wanted>} */
    const wanted = new Map();
    for (const name of groupNames) {
      const group = groups.get(name);
      if (group === undefined) {
        throw new Problem(
          'group_not_found',
          `found ${name}, expected one of ${[...groups.keys()].join(', ')}`,
        );
      }
      for (const one of group) wanted.set(one.name, one);
    }
    const faults = [];
    for (const text of names) {
      const one = parseWanted(text);
      if (typeof one === 'string') faults.push({ parameter: 'pv', detail: one });
      else wanted.set(one.name, one);
    }
    if (faults.length > 0) throw invalid(faults);
    if (wanted.size === 0) throw new Problem('nothing_asked', 'expected pv=NAME or group=NAME');
    if (wanted.size > max_pvs) {
      throw new Problem('too_many_pvs', `found ${wanted.size}, expected at most ${max_pvs}`);
    }
    return [...wanted.values()];
  }
}

/**
 * @param {string} search what follows the question mark
 * @returns {Record<string, any>} checked next; a parameter that is repeated though it may not be is a list then
 */
function parse(search) {
  /** @type {Record<string, any>} */
  const query = Object.create(null);
  const parameters = new URLSearchParams(search);
  for (const key of new Set(parameters.keys())) {
    const values = parameters.getAll(key);
    if (LISTS.includes(key)) query[key] = values.flatMap((value) => value.split(','));
    else query[key] = values.length === 1 ? values[0] : values;
  }
  return query;
}

/** @param {import('ajv').ErrorObject} error */
function fault({ instancePath, message, params }) {
  if (typeof params.additionalProperty === 'string') {
    return { parameter: params.additionalProperty, detail: 'there is no such parameter' };
  }
  return { parameter: instancePath.split('/')[1] ?? '', detail: message ?? 'is invalid' };
}

/** @param {{ parameter: string, detail: string }[]} errors */
function invalid(errors) {
  return new Problem('invalid_query', 'errors lists what was expected where', { errors });
}
