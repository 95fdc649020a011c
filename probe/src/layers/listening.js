// @ts-check
// Which line makes a server listen.

import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { FRAMEWORKS } from '../frameworks/shown.js';
import { placeOfCaller } from '../sites.js';
import { quietly } from '../state.js';
import { replace } from '../wrap.js';
import { serverAt } from './layer.js';

/** @typedef {import('../sites.js').Frame | null} Place */

/** Where servers were made: frameworks listen later, when nobody of the service is on the stack. @type {WeakMap<object, Place>} */
const made = new WeakMap();

export function watchServers() {
  for (const owner of [http, https]) {
    replace(owner, 'createServer', (original) => {
      return {
        /** @this {unknown} @param {any[]} args */
        createServer(...args) {
          const server = Reflect.apply(original, this, args);
          quietly(() => made.set(server, placeOfCaller(FRAMEWORKS)));
          return server;
        },
      }.createServer;
    });
  }
  replace(net.Server.prototype, 'listen', (original) => {
    return {
      /** @this {net.Server} @param {any[]} args */
      listen(...args) {
        quietly(() => serverAt(this, nearest(placeOfCaller(FRAMEWORKS), made.get(this) ?? null)));
        return Reflect.apply(original, this, args);
      },
    }.listen;
  });
}

/** The one that is more of the service, else the first. @param {Place} first @param {Place} second */
function nearest(first, second) {
  return distance(second) < distance(first) ? second : first;
}

/** @param {Place} place */
function distance(place) {
  if (place === null) return 3;
  if (place.package === null) return 0;
  return FRAMEWORKS.has(place.package) ? 2 : 1;
}
