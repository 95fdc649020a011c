// @ts-check
/** Writes the types of plans, and of findings and events, from their schemas. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

/** The schemas of each module, and what the type of each whole is called. @type {Record<string, Record<string, string>>} */
const modules = {
  plan: { Plan: 'plan.schema.json' },
  // Together, so that what several of them have is written once.
  results: {
    Findings: 'findings.schema.json',
    Comparison: 'compare.schema.json',
    Event: 'event.schema.json',
  },
};

const types = new URL('../src/types/', import.meta.url);
/**
 * A reference with a description of its own stays a reference to the one type: else there would be a copy for each.
 * @param {any} schema
 * @returns {any}
 */
function referring(schema) {
  if (Array.isArray(schema)) return schema.map(referring);
  if (typeof schema !== 'object' || schema === null) return schema;
  const all = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referring(value)]));
  const { $ref, ...rest } = all;
  return typeof $ref === 'string' && Object.keys(rest).length > 0 ? { ...rest, allOf: [{ $ref }] } : all;
}

/** @param {string} file */
async function read(file) {
  return JSON.parse(await readFile(new URL(`../../../docs/reference/${file}`, import.meta.url), 'utf8'));
}

await mkdir(types, { recursive: true });
for (const [module, schemas] of Object.entries(modules)) {
  /** @type {Record<string, any>} */
  const definitions = {};
  for (const [name, file] of Object.entries(schemas)) {
    const { $defs, $schema, ...whole } = await read(file);
    Object.assign(definitions, $defs, { [name]: whole });
  }
  // A definition with a title becomes a type of that name instead of being written wherever it is used.
  for (const [title, definition] of Object.entries(definitions)) definition.title = title;
  const $defs = referring(definitions);
  const wholes = Object.keys(schemas).map((name) => ({ $ref: `#/$defs/${name}` }));
  const text = await compile({ title: 'Whole', anyOf: wholes, $defs }, 'Whole', {
    additionalProperties: false,
    bannerComment: `// Written by scripts/types.js from ${Object.values(schemas).join(', ')} in docs/reference.`,
    style: { singleQuote: true, printWidth: 110 },
    // An unbounded array for `[u64; 5]` and its like: a tuple of five says little more.
    ignoreMinAndMaxItems: true,
  });
  await writeFile(new URL(`${module}.ts`, types), text);
}
