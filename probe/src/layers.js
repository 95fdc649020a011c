// @ts-check
// What each middleware, hook and handler of the service costs: while a profile is taken what they do has their label.

import { watchFrameworks } from './frameworks.js';
import { labels, log, startLabels, stopLabels } from './layers/label.js';
import { layerHere, layers, runAs, watchResponses } from './layers/layer.js';
import { watchServers } from './layers/listening.js';
import { quietly } from './state.js';

/** As the process starts. */
export function watchLayers() {
  quietly(watchServers);
  watchFrameworks((kind, name, run) => {
    if (kind === 'guard') return undefined;
    const layer = layerHere(kind === 'errors' ? 'middleware' : kind, name, run);
    if (layer === undefined) return undefined;
    return (run, self, args) => (labels.on ? runAs(layer, run, self, args) : Reflect.apply(run, self, args));
  });
}

/** As the thread begins to serve. */
export function servingLayers() {
  quietly(watchResponses);
}

export { log as labelLog, startLabels, stopLabels };

/** What the labels stand for. */
export const knownLayers = () => layers;
