// @ts-check
// Where places in compiled code come from, by the source maps that Node.js was given as it loaded the code.

import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ name: string, line: number, column: number }} Place in a script, by its path or URL; counted from 1
 * @typedef {{ file: string, line: number, column: number }} Origin of it in a source file; counted from 1
 */

/** @param {Place} place @returns {Origin | undefined} */
export function originOf({ name, line, column }) {
  try {
    const entry = findSourceMap(name)?.findEntry(line - 1, column - 1);
    if (!entry || !('originalSource' in entry) || !entry.originalSource) return undefined;
    // Where it ends up when the line has nothing to map.
    if (entry.generatedLine !== line - 1) return undefined;
    const { originalSource, originalLine, originalColumn } = entry;
    const file = originalSource.startsWith('file:') ? fileURLToPath(originalSource) : originalSource;
    return { file, line: originalLine + 1, column: originalColumn + 1 };
  } catch {
    return undefined;
  }
}

/** @param {Place[]} places */
export function originsOf(places) {
  return places.map((place) => originOf(place) ?? null);
}
