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

// src/origins.js
var origins_exports = {};
__export(origins_exports, {
  originOf: () => originOf,
  originsOf: () => originsOf
});
module.exports = __toCommonJS(origins_exports);
var import_node_module = require("node:module");
var import_node_url = require("node:url");
function originOf({ name, line, column }) {
  try {
    const entry = (0, import_node_module.findSourceMap)(name)?.findEntry(line - 1, column - 1);
    if (!entry || !("originalSource" in entry) || !entry.originalSource) return void 0;
    if (entry.generatedLine !== line - 1) return void 0;
    const { originalSource, originalLine, originalColumn } = entry;
    const file = originalSource.startsWith("file:") ? (0, import_node_url.fileURLToPath)(originalSource) : originalSource;
    return { file, line: originalLine + 1, column: originalColumn + 1 };
  } catch {
    return void 0;
  }
}
function originsOf(places) {
  return places.map((place) => originOf(place) ?? null);
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  originOf,
  originsOf
});
