// @ts-check
/**
 * Writes the types of what the page is given, from schemas: document.ts for what it says, one file for each kind of
 * findings, and shared.ts with what several of them use. Only what the page can reach is written.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** @type {Record<string, string>} */
const schemas = {
  'document.ts': '../../crates/report/assets/document.schema.json',
  'findings.ts': '../../docs/reference/findings.schema.json',
  'comparison.ts': '../../docs/reference/compare.schema.json',
  'scaling.ts': '../../docs/reference/scale.schema.json',
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
 * @property {Schema} [additionalProperties]
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
  const named = schema.$ref?.replace('#/$defs/', '');
  if (schema.properties) return [inline(schema.properties), named].filter(Boolean).join(' & ');
  if (named) return named;
  if (schema.additionalProperties) return `Record<string, ${typeOf(schema.additionalProperties)}>`;
  if (schema.const) return `'${schema.const}'`;
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(typeOf).join(' | ');
  if (schema.type === 'array' && schema.items) return `${bracketed(typeOf(schema.items))}[]`;
  return [schema.type ?? []]
    .flat()
    .map((type) => {
      const primitive = primitives[/** @type {keyof typeof primitives} */ (type)];
      if (!primitive) throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
      return primitive;
    })
    .join(' | ');
}

/** @param {Record<string, Schema>} properties */
const inline = (properties) =>
  `{ ${Object.entries(properties)
    .map(([key, each]) => `${key}: ${typeOf(each)}`)
    .join('; ')} }`;

/** @param {string} type */
const bracketed = (type) => (/[|&]/.test(type) ? `(${type})` : type);

/** @param {string | undefined} text @param {string} indent */
const comment = (text, indent) => (text ? `${indent}/** ${text.replaceAll('\n', ' ')} */\n` : '');

/** What does not fit on a line has a line for each choice. @param {string} name @param {string} type */
function alias(name, type) {
  const line = `export type ${name} = ${type};\n`;
  if (line.length <= 110) return line;
  return `export type ${name} =\n${type
    .split(' | ')
    .map((choice) => `  | ${choice.includes('&') ? `(${choice})` : choice}`)
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

/** The types that a type uses, as its declaration spells them. @param {string} declared @param {Set<string>} known */
const used = (declared, known) =>
  [...new Set(declared.replace(/\/\*\*.*?\*\//gs, '').match(/\b[A-Z]\w*/g) ?? [])].filter((name) =>
    known.has(name),
  );

/** Declarations by name, and the files that reach them. @type {Map<string, { text: string, files: Set<string> }>} */
const types = new Map();

/** @param {string} file @param {string} root @param {Map<string, string>} declared */
function reach(file, root, declared) {
  const known = new Set(declared.keys());
  const waiting = [root];
  for (let name = waiting.shift(); name; name = waiting.shift()) {
    const text = declared.get(name) ?? '';
    const type = types.get(name) ?? { text, files: new Set() };
    if (type.text !== text)
      throw new Error(`${name} of ${file} is not that of ${[...type.files].join(', ')}`);
    if (type.files.has(file)) continue;
    type.files.add(file);
    types.set(name, type);
    waiting.push(...used(text, known));
  }
}

for (const [file, path] of Object.entries(schemas)) {
  /** @type {Schema} */
  const schema = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
  const root = schema.title ?? '';
  const all = Object.entries({ [root]: schema, ...schema.$defs });
  reach(file, root, new Map(all.map(([name, each]) => [name, declaration(name, each)])));
}

const shared = 'shared.ts';
const known = new Set(types.keys());
/** @param {{ files: Set<string> }} type */
const home = ({ files }) => (files.size > 1 ? shared : [...files][0]);

for (const file of [...Object.keys(schemas), shared]) {
  const here = [...types].filter(([, type]) => home(type) === file);
  const text = here.map(([, type]) => type.text).join('\n');
  const elsewhere = used(text, known).filter((name) => here.every(([own]) => own !== name));
  const from = file === shared ? 'the schemas of the other files' : schemas[file]?.replace('../../', '');
  const line = `import type { ${elsewhere.sort().join(', ')} } from './${shared}';\n`;
  const imports =
    line.length <= 111
      ? line
      : `import type {\n${elsewhere.map((name) => `  ${name},\n`).join('')}} from './${shared}';\n`;
  writeFileSync(
    new URL(`../src/${file}`, import.meta.url),
    `// Written by scripts/types.js from ${from}.\n\n${elsewhere.length > 0 ? `${imports}\n` : ''}${text}`,
  );
}
