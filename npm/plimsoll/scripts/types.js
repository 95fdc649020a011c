// @ts-check
/** Writes the types of plans, findings and events from their schemas, a file each. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

/** The schema, and what the type of the whole is called. @type {Record<string, [file: string, name: string]>} */
const schemas = {
  plan: ['plan.schema.json', 'Plan'],
  findings: ['findings.schema.json', 'Findings'],
  compare: ['compare.schema.json', 'Comparison'],
  event: ['event.schema.json', 'Event'],
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

await mkdir(types, { recursive: true });
for (const [module, [file, name]] of Object.entries(schemas)) {
  const schema = JSON.parse(
    await readFile(new URL(`../../../docs/reference/${file}`, import.meta.url), 'utf8'),
  );
  // A definition with a title becomes a type of that name instead of being written wherever it is used.
  for (const [title, definition] of Object.entries(schema.$defs ?? {})) definition.title = title;
  const text = await compile({ ...referring(schema), title: name }, name, {
    additionalProperties: false,
    bannerComment: `// Written by scripts/types.js from docs/reference/${file}.`,
    style: { singleQuote: true, printWidth: 110 },
    // An unbounded array for `[u64; 5]` and its like: a tuple of five says little more.
    ignoreMinAndMaxItems: true,
  });
  await writeFile(new URL(`${module}.ts`, types), text);
}
