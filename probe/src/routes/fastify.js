// @ts-check
// Routes of Fastify, which says of each that it is registered.

import { subscribe } from 'node:diagnostics_channel';
import { quietly } from '../state.js';

/** @type {{ methods: string[], path: string }[]} */
const registered = [];

export function watchFastify() {
  subscribe('fastify.initialization', (/** @type {any} */ { fastify }) => {
    quietly(() => {
      fastify.addHook('onRoute', (/** @type {any} */ { method, url }) => {
        quietly(() => registered.push({ methods: [method].flat().map(String), path: String(url) }));
      });
    });
  });
}

export const routesOfFastify = () => registered;
