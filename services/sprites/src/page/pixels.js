// @ts-check
/** Sprites as pixels: 8 rows of 8 from a palette of 16, and how they are enlarged. Pure: it must not know the page. */

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

/**
 * Twice as large, with rounded corners and no new colours: Scale2x (A. Mazzoleni, scale2x.it).
 * @param {Uint8Array} from of width × width @param {number} width @returns {Uint8Array}
 */
export function scale2x(from, width) {
  const to = new Uint8Array(4 * from.length);
  /** @param {number} x @param {number} y */
  const at = (x, y) =>
    from[Math.min(Math.max(y, 0), width - 1) * width + Math.min(Math.max(x, 0), width - 1)];
  for (let y = 0; y < width; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const e = at(x, y);
      const [b, d, f, h] = [at(x, y - 1), at(x - 1, y), at(x + 1, y), at(x, y + 1)];
      const round = b !== h && d !== f;
      const corner = 2 * y * 2 * width + 2 * x;
      to[corner] = round && d === b ? d : e;
      to[corner + 1] = round && b === f ? f : e;
      to[corner + 2 * width] = round && d === h ? d : e;
      to[corner + 2 * width + 1] = round && h === f ? f : e;
    }
  }
  return to;
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
