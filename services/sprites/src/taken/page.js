// @ts-check
/** The page, read once at boot. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @import { Route } from '@plimsoll/service-common/router.js' */

/** @type {[string, string, string][]} path, file, type */
const FILES = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/page.js', 'page.js', 'text/javascript; charset=utf-8'],
  ['/icon.svg', 'icon.svg', 'image/svg+xml'],
  ['/way.js', 'way.js', 'text/javascript; charset=utf-8'],
  ['/pixels.js', 'pixels.js', 'text/javascript; charset=utf-8'],
];

/** Nothing comes from elsewhere, and what is held comes from the ports of the workers. */
const POLICY =
  "default-src 'self'; connect-src *; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** @returns {Route[]} */
export function pageRoutes() {
  return FILES.map(([pattern, file, type]) => {
    const body = readFileSync(new URL(`../page/${file}`, import.meta.url), 'utf8');
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;
    const headers = ['content-type', type, 'cache-control', 'no-cache', 'etag', etag];
    headers.push('content-security-policy', POLICY, 'x-content-type-options', 'nosniff');
    return {
      pattern,
      methods: {
        GET: ({ req }) =>
          req.headers['if-none-match'] === etag
            ? { status: 304, headers, body: '' }
            : { status: 200, headers, body },
      },
    };
  });
}
