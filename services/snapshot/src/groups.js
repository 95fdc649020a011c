// @ts-check
/** Groups: short names for lists of process variables, read from a file at boot. */

import { readFileSync } from 'node:fs';
import { ConfigError } from '@plimsoll/service-common/settings.js';
import { Ajv } from 'ajv';
import { parseWanted } from './names.js';

/** @import { Wanted } from './names.js' */
/** @typedef {Map<string, Wanted[]>} Groups */

const valid = new Ajv().compile({
  type: 'object',
  propertyNames: { pattern: '^[a-z0-9-]{1,40}$' },
  additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
});

/**
 * @param {string | undefined} file JSON: an object of lists of names; undefined: no groups
 * @returns {Groups}
 * @throws {ConfigError}
 */
export function readGroups(file) {
  if (file === undefined) return new Map();
  const found = readJson(file);
  if (!valid(found)) {
    const { instancePath, message } = valid.errors?.[0] ?? {};
    throw refused(file, `${instancePath || 'the whole'} ${message}`);
  }
  return new Map(
    Object.entries(/** @type {Record<string, string[]>} */ (found)).map(([group, entries]) => [
      group,
      entries.map((entry) => {
        const wanted = parseWanted(entry);
        if (typeof wanted === 'string') throw refused(file, `in "${group}" ${wanted}`);
        return wanted;
      }),
    ]),
  );
}

/** @param {string} file @returns {unknown} */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw refused(file, error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} file @param {string} reason */
function refused(file, reason) {
  return new ConfigError(`SNAPSHOT_GROUPS cannot be used: ${file}: ${reason}`);
}
