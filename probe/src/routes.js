// @ts-check
// The routes of a service, as its framework has them: Express, Koa with a router, Fastify and Hono; Nest is on Express or Fastify.
// Nothing of the service runs otherwise for it.

import { HONO } from './frameworks/hono.js';
import { watchModules } from './frameworks/modules.js';
import { onLoaded } from './loaded.js';
import { routesOfExpress, watchedExpress } from './routes/express.js';
import { routesOfFastify, watchFastify } from './routes/fastify.js';
import { routesOfHono, watchedHono } from './routes/hono.js';
import { routesOfKoa, watchedKoa } from './routes/koa.js';
import { quietly } from './state.js';

/**
 * @typedef {object} Route
 * @property {string} method such as `GET`; `ALL` for any
 * @property {string} path as it is registered, with the paths of what it is in: `/users/:id`
 * @property {boolean} expression the path is a regular expression
 */

/** Routes that the receiver hears of. */
const TOLD_MAX = 1000;
/** A path that is longer is none that somebody wrote. */
const PATH_LENGTH_MAX = 512;
/** More methods are all that there are. */
const METHODS_MAX = 8;

/** As the process starts. */
export function watchRoutes() {
  quietly(watchFastify);
  quietly(() => {
    onLoaded((file, exports) => {
      watchedHono(file, exports);
      watchedKoa(file, exports);
      return watchedExpress(file, exports);
    });
  });
  quietly(() => watchModules(HONO, watchedHono));
}

/** What is registered by now, each once. @returns {Route[]} */
export function knownRoutes() {
  /** @type {Map<string, Route>} */
  const known = new Map();
  for (const list of [routesOfExpress, routesOfKoa, routesOfFastify, routesOfHono]) {
    quietly(() => {
      for (const { methods, path } of list()) {
        const expression = path instanceof RegExp;
        const text = expression ? String(path) : `/${path}`.replace(/^\/+/, '/');
        if (text.length > PATH_LENGTH_MAX) continue;
        for (const method of methods.length > METHODS_MAX ? ['ALL'] : methods) {
          const route = { method: method.toUpperCase(), path: text, expression };
          if (known.size < TOLD_MAX) known.set(`${route.method} ${text}`, route);
        }
      }
    });
  }
  return [...known.values()];
}
