// @ts-check
/** The page: a template, rendered with the facts of the moment. */

import { readFileSync } from 'node:fs';
import { Eta } from 'eta';

/** @import { Facts } from './facts.js' */

const TEMPLATE = new URL('./page.eta', import.meta.url);

/**
 * @param {object} options
 * @param {boolean} options.cached whether the template is read and compiled once; otherwise for each page, as view
 *   engines do in development
 * @returns {(facts: Facts) => string} HTML, with every fact escaped
 */
export function createPage({ cached }) {
  const eta = new Eta();
  const compile = () => eta.compile(readFileSync(TEMPLATE, 'utf8'));
  if (!cached) return (facts) => eta.render(compile(), facts);
  const template = compile();
  return (facts) => eta.render(template, facts);
}
