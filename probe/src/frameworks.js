// @ts-check
// Where frameworks are given what they run for a request: middleware, hooks and handlers of Express, Koa, Fastify, Hono and Nest.
// Each is shown to whoever asked, as it is registered, and may be run otherwise.

import { changedExpress } from './frameworks/express.js';
import { watchFastify } from './frameworks/fastify.js';
import { changedHono, ROUTERS } from './frameworks/hono.js';
import { changedKoa } from './frameworks/koa.js';
import { watchModules } from './frameworks/modules.js';
import { changedNest, PARTS } from './frameworks/nest.js';
import { onLoaded } from './loaded.js';
import { quietly } from './state.js';

/** As the process starts. @param {import('./frameworks/shown.js').Show} show */
export function watchFrameworks(show) {
  const safely = (/** @type {Parameters<typeof show>} */ ...args) => {
    /** @type {ReturnType<typeof show>} */
    let around;
    quietly(() => {
      around = show(...args);
    });
    return around;
  };
  quietly(() => watchFastify(safely));
  quietly(() => {
    onLoaded((file, exports) => {
      changedParts(file, exports);
      changedKoa(safely, file, exports);
      return changedExpress(safely, file, exports);
    });
  });
  quietly(() => watchModules([ROUTERS, PARTS], changedParts));

  /** What is changed by its classes, however it was loaded. @param {string} file @param {any} exports */
  function changedParts(file, exports) {
    changedHono(safely, file, exports);
    changedNest(safely, file, exports);
  }
}
