// @ts-check
/** The page, read once at boot. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { Route } from '@plimsoll/service-common/router.js' */

const DIRECTORY = new URL('../page/', import.meta.url);
const INDEX = 'index.html';

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing comes from elsewhere, and what is held comes from the ports of the workers. */
const POLICY =
  "default-src 'self'; connect-src *; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** @returns {Route[]} for each file of the page, at its own path */
export function pageRoutes() {
  const files = readdirSync(fileURLToPath(DIRECTORY), { encoding: 'utf8', recursive: true });
  return files
    .filter((file) => extname(file) in TYPES)
    .map((file) => {
      const body = readFileSync(new URL(file, DIRECTORY), 'utf8');
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;
      const headers = ['content-type', TYPES[extname(file)], 'cache-control', 'no-cache', 'etag', etag];
      headers.push('content-security-policy', POLICY, 'x-content-type-options', 'nosniff');
      return {
        pattern: file === INDEX ? '/' : `/${file}`,
        methods: {
          GET: ({ req }) =>
            req.headers['if-none-match'] === etag
              ? { status: 304, headers, body: '' }
              : { status: 200, headers, body },
        },
      };
    });
}
