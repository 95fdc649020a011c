// @ts-check
/** Pictures as PNG files, so that what is expected can be looked at: 8 bits of red, green, blue and alpha, no filters. */

import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** @import { Picture } from '../src/page/scale/picture.js' */

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const CHANNELS = 4;
const TRUECOLOUR_WITH_ALPHA = 6;

/** @param {Picture} picture */
export function pngOf({ width, height, dots }) {
  const bytes = Buffer.from(dots.buffer, dots.byteOffset, dots.byteLength);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), bytes.subarray(CHANNELS * width * y, CHANNELS * width * (y + 1))]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, TRUECOLOUR_WITH_ALPHA, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Of a file that `pngOf` made. @param {Buffer} png @returns {Picture} */
export function pictureOfPng(png) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const begin = png.indexOf('IDAT') + 4;
  const rows = inflateSync(png.subarray(begin, begin + png.readUInt32BE(begin - 8)));
  const dots = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const row = y * (CHANNELS * width + 1) + 1;
    for (let x = 0; x < width; x += 1) dots[y * width + x] = rows.readUInt32LE(row + CHANNELS * x);
  }
  return { width, height, dots };
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
