// @ts-check
/** Writes the types of the findings, src/findings.ts, comparison.ts and scaling.ts, from their schemas in docs/reference/. */
import { readFileSync, writeFileSync } from 'node:fs';

const files = {
  'findings.schema.json': 'findings.ts',
  'compare.schema.json': 'comparison.ts',
  'scale.schema.json': 'scaling.ts',
};

/**
 * The part of JSON Schema that the findings use.
 * @typedef {object} Schema
 * @property {string} [title]
 * @property {string} [description]
 * @property {string | string[]} [type]
 * @property {string} [$ref]
 * @property {string} [const]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {string[]} [enum]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Record<string, Schema>} [$defs]
 */

const primitives = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** @param {Schema} schema @returns {string} */
function typeOf(schema) {
  if (schema.$ref) return schema.$ref.replace('#/$defs/', '');
  if (schema.const) return `'${schema.const}'`;
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(typeOf).join(' | ');
  if (schema.type === 'array' && schema.items) return `${typeOf(schema.items)}[]`;
  return [schema.type ?? []]
    .flat()
    .map((type) => {
      const primitive = primitives[/** @type {keyof typeof primitives} */ (type)];
      if (!primitive) throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
      return primitive;
    })
    .join(' | ');
}

/** @param {string | undefined} text @param {string} indent */
const comment = (text, indent) => (text ? `${indent}/** ${text.replaceAll('\n', ' ')} */\n` : '');

/** What does not fit on a line has a line for each choice. @param {string} name @param {string} type */
function alias(name, type) {
  const line = `export type ${name} = ${type};\n`;
  if (line.length <= 110) return line;
  return `export type ${name} =\n${type
    .split(' | ')
    .map((choice) => `  | ${choice}`)
    .join('\n')};\n`;
}

/**
 * What has a code and parameters is drawn by its text. The page sees what all choices have.
 * @param {string} name @param {Schema[]} choices
 */
function coded(name, choices) {
  const [first, ...others] = choices.map((choice) => choice.properties ?? {});
  const common = Object.entries(first ?? {}).filter(
    ([key]) => key !== 'code' && others.every((other) => key in other),
  );
  const fields = common.map(
    ([key, field]) => `${comment(field.description, '  ')}  ${key}: ${typeOf(field)};\n`,
  );
  return `export interface ${name} {\n  code: string;\n${fields.join('')}}\n`;
}

/** @param {string} name @param {Schema} schema */
function declaration(name, schema) {
  const head = comment(schema.description, '');
  if (schema.oneOf?.every((choice) => choice.properties?.code?.const))
    return head + coded(name, schema.oneOf);
  if (!schema.properties) return `${head}${alias(name, typeOf(schema))}`;
  const fields = Object.entries(schema.properties).map(
    ([key, field]) => `${comment(field.description, '  ')}  ${key}: ${typeOf(field)};\n`,
  );
  return `${head}export interface ${name} {\n${fields.join('')}}\n`;
}

for (const [schemaFile, typesFile] of Object.entries(files)) {
  /** @type {Schema} */
  const schema = JSON.parse(
    readFileSync(new URL(`../../docs/reference/${schemaFile}`, import.meta.url), 'utf8'),
  );
  const declarations = [
    declaration(schema.title ?? 'Findings', schema),
    ...Object.entries(schema.$defs ?? {}).map(([name, each]) => declaration(name, each)),
  ];
  writeFileSync(
    new URL(`../src/${typesFile}`, import.meta.url),
    `// Written by scripts/types.js from docs/reference/${schemaFile}.\n\n${declarations.join('\n')}`,
  );
}
