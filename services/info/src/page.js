// @ts-check
/** The page: a template that is read and compiled once, when the module is loaded. */

import { readFileSync } from 'node:fs';
import { Eta } from 'eta';

/** @import { Facts } from './facts.js' */

const eta = new Eta();
const template = eta.compile(readFileSync(new URL('./page.eta', import.meta.url), 'utf8'));

/** @param {Facts} facts @returns {string} HTML, with every fact escaped */
export function renderPage(facts) {
  return eta.render(template, facts);
}
