// @ts-check
/** The constants of the game, read and parsed once, when the module is loaded. */

import { readFileSync } from 'node:fs';

/**
 * @type {{
 *   ports: string[],
 *   goods: { item: string, price: number }[],
 *   hold_limit: number,
 *   ranks: { rank: string, rating: number }[],
 *   achievements: { name: string, counter: keyof import('./profile.js').Counters, least: number }[],
 * }}
 */
export const catalogue = JSON.parse(readFileSync(new URL('./catalogue.json', import.meta.url), 'utf8'));
