// Made of probe/src by `make generate`; edit there.
"use strict";
"use strict";
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/memory.js
var memory_exports = {};
__export(memory_exports, {
  kept: () => kept
});
module.exports = __toCommonJS(memory_exports);
var import_node_v82 = require("node:v8");

// src/collect.js
var import_node_v8 = require("node:v8");
var import_node_vm = require("node:vm");
var HEAP_BYTES_MAX = 512 << 20;
var gc;
function prepareToCollect() {
  (0, import_node_v8.setFlagsFromString)("--expose-gc");
  gc = (0, import_node_vm.runInNewContext)("gc");
  (0, import_node_v8.setFlagsFromString)("--no-expose-gc");
}
function collectAll() {
  if (gc === void 0) prepareToCollect();
  gc?.();
}

// src/memory.js
var HEAP_BYTES_MAX2 = 2 ** 31;
function kept(id) {
  if ((0, import_node_v82.getHeapStatistics)().used_heap_size > HEAP_BYTES_MAX2) {
    return {
      type: "error",
      id,
      message: "the heap has more than 2 GiB, and collecting it would stop the service for long"
    };
  }
  const begun_ms = performance.now();
  collectAll();
  collectAll();
  const paused_ns = Math.round((performance.now() - begun_ms) * 1e6);
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return {
    type: "kept",
    id,
    paused_ns,
    heap_used_bytes: heapUsed,
    heap_committed_bytes: heapTotal,
    external_bytes: external,
    array_buffers_bytes: arrayBuffers,
    rss_bytes: rss,
    spaces: (0, import_node_v82.getHeapSpaceStatistics)().map(({ space_name, space_used_size }) => ({ name: space_name, used_bytes: space_used_size })).filter(({ used_bytes }) => used_bytes > 0)
  };
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  kept
});
