// @ts-check
// The routes that services of each framework have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, nodes, service, startService } from './support.js';

/** What each of them has. */
const COMMON = ['GET /', 'GET /api/users/:id', 'POST /api/users'];
const [{ version, node } = assert.fail()] = nodes;

/** @type {[string, string, string[]][]} */
const services = [
  [
    'express',
    'routes.cjs',
    [...COMMON, 'ALL /any', 'GET /admin/status', 'GET /one', 'GET /two', 'GET expression /^\\/files\\/.+/'],
  ],
  ['koa', 'routes.cjs', [...COMMON, 'HEAD /', 'HEAD /api/users/:id', 'GET expression /^\\/files\\/.+/']],
  [
    'fastify',
    'routes.cjs',
    [...COMMON, 'HEAD /', 'HEAD /api/users/:id', 'GET /any', 'HEAD /any', 'PUT /any'],
  ],
  ['nest', 'routes.cjs', ['GET /api/users/:id', 'POST /api/users']],
  ['hono', 'routes.mjs', COMMON],
];

for (const [framework, file, expected] of services) {
  test(`Node.js ${version}: routes of ${framework} are known with their whole paths`, async (t) => {
    const { connection } = await startService(t, {
      node,
      file: service(file),
      settings: { mode: 'routes' },
      env: { FRAMEWORK: framework },
    });
    connection.send({ type: 'list_routes' });
    const { routes } = await connection.until(({ type }) => type === 'routes');
    const found = routes.map(
      (/** @type {any} */ { method, path, expression }) =>
        `${method} ${expression ? `expression ${path}` : path.replace(/(.)\/$/, '$1')}`,
    );
    const plain = found.filter((/** @type {string} */ route) => !/^HEAD expression/.test(route));
    assert.deepEqual(plain.sort(), [...expected].sort());
  });
}

test(`Node.js ${version}: a service whose routes are listed responds as before`, async (t) => {
  const { url } = await startService(t, {
    node,
    file: service('routes.cjs'),
    settings: { mode: 'routes' },
    env: { FRAMEWORK: 'express' },
  });
  for (const path of ['/', '/api/users/7', '/admin/status', '/two', '/files/a']) {
    assert.equal(await get(`${url}${path}`), 'hello');
  }
});
