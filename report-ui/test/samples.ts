/** The sample findings of crates/report, which make them. */

import { readdirSync, readFileSync } from 'node:fs';
import type { Comparison } from '../src/comparison.ts';
import type { Document } from '../src/document.ts';
import type { Findings } from '../src/findings.ts';

// Tests run from dist/, one level below the workspace as this directory is.
const directory = new URL('../../crates/report/tests/samples/', import.meta.url);

export const sampleNames: string[] = readdirSync(directory)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))
  .sort();

export const sampleText = (name: string): string => readFileSync(new URL(`${name}.json`, directory), 'utf8');

export const sample = (name: string): Findings => JSON.parse(sampleText(name));

const comparisons = new URL('../../crates/report/tests/comparisons/', import.meta.url);

export const comparisonNames: string[] = ['worse', 'no-difference', 'hostile'];

export const comparisonText = (name: string): string =>
  readFileSync(new URL(`${name}.json`, comparisons), 'utf8');

export const comparisonSample = (name: string): Comparison => JSON.parse(comparisonText(name));

const sweeps = new URL('../../crates/report/tests/sweeps/', import.meta.url);

/** A sweep over up to sixteen workers. */
export const sweepText = (name: string): string => readFileSync(new URL(`${name}.json`, sweeps), 'utf8');

const documents = new URL('../../crates/report/tests/documents/', import.meta.url);

/** What the page of a sample says; those of comparisons and sweeps begin with their command. */
export const documentText = (name: string): string =>
  readFileSync(new URL(`${name}.json`, documents), 'utf8');

export const documentOf = (name: string): Document => JSON.parse(documentText(name));
