// @ts-check
// What each middleware, hook and handler of the service costs: they are found as frameworks are loaded, and while a profile
// is taken what they do has their label.

import { lookAtExpress } from './layers/express.js';
import { watchFastify } from './layers/fastify.js';
import { lookAtHono, watchHono } from './layers/hono.js';
import { lookAtKoa } from './layers/koa.js';
import { log, startLabels, stopLabels } from './layers/label.js';
import { layers, watchResponses } from './layers/layer.js';
import { lookAtNest } from './layers/nest.js';
import { onLoaded } from './loaded.js';
import { quietly } from './state.js';

const LOOKS = [lookAtExpress, lookAtKoa, lookAtHono, lookAtNest];

/** As the process starts. */
export function watchLayers() {
  quietly(watchFastify);
  quietly(watchHono);
  quietly(() => {
    onLoaded((name, file, exports) => {
      let result = exports;
      for (const look of LOOKS) {
        quietly(() => {
          result = look(name, file, result);
        });
      }
      return result;
    });
  });
}

/** As the thread begins to serve. */
export function servingLayers() {
  quietly(watchResponses);
}

export { log as labelLog, startLabels, stopLabels };

/** What the labels stand for. */
export const knownLayers = () => layers;
