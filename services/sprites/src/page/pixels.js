// @ts-check
/** Sprites as pixels: 8 rows of 8 from a palette of 16. Pure: it must not know the page. */

import { dotOfText } from './scale/picture.js';

export const SIZE = 8;

/** By digit; the first is transparent. */
export const PALETTE = /** @type {const} */ ([
  '#00000000',
  '#1b1c26',
  '#f6f3e8',
  '#8f97a3',
  '#d64933',
  '#f2933f',
  '#f7d04a',
  '#7bb662',
  '#2f7d5b',
  '#3fa7d6',
  '#2f5d9e',
  '#7d5ba6',
  '#e08fb0',
  '#8a5a3b',
  '#c9a36a',
  '#51586a',
]);

const DOTS = PALETTE.map(dotOfText);

/** What there is to take. */
export const SHELF = [
  { name: 'boat', pixels: '0002000000022000000222000002222000020000dddddddd0dddddd000999900' },
  { name: 'fish', pixels: '0000000000055000005555055051555555555555055555050055500000000000' },
  { name: 'gull', pixels: '0000000003000030232002322022220200022000000250000000000000000000' },
  { name: 'star', pixels: '0006600000066000666666660666666000666600066666600660066006000060' },
  { name: 'crab', pixels: '4000000440400404444004440044440004144140044444400044440004000040' },
  { name: 'whale', pixels: '0900090000909000000900000aaaaa0aaa1aaaaa2aaaaaaa02aaaaa000222000' },
  { name: 'heart', pixels: '0cc00cc0cccccccccc2ccccccccccccc0cccccc000cccc00000cc00000000000' },
  { name: 'ghost', pixels: '0022220002222220221221222212212222222222222222222222222220220220' },
];

/** @param {string} text of 64 hexadecimal digits @returns {Uint8Array} */
export function decode(text) {
  return Uint8Array.from(text, (digit) => Number.parseInt(digit, 16));
}

/** A sprite as a picture. @param {string} text of 64 hexadecimal digits @returns {import('./scale/picture.js').Picture} */
export function pictureOf(text) {
  return { width: SIZE, height: SIZE, dots: Uint32Array.from(decode(text), (digit) => DOTS[digit]) };
}

const FIRST = [
  'Brisk',
  'Calm',
  'Merry',
  'Bold',
  'Quiet',
  'Sunny',
  'Salty',
  'Lucky',
  'Swift',
  'Gentle',
  'Proud',
  'Misty',
];
const SECOND = [
  'Gull',
  'Otter',
  'Heron',
  'Seal',
  'Puffin',
  'Crab',
  'Dolphin',
  'Tern',
  'Marlin',
  'Osprey',
  'Turtle',
];

/** A name and a hue for an address, the same for everyone. @param {string} address */
export function nameOf(address) {
  let hash = 2166136261;
  for (let at = 0; at < address.length; at += 1) {
    hash = Math.imul(hash ^ address.charCodeAt(at), 16777619) >>> 0;
  }
  return {
    name: `${FIRST[hash % FIRST.length]} ${SECOND[(hash >>> 8) % SECOND.length]}`,
    hue: (hash >>> 12) % 360,
  };
}
