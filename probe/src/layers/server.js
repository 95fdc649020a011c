// @ts-check
// Servers of the service, each known by the line that makes it listen. Requests are read for it before anybody else knows of them.

/** @type {WeakMap<object, number>} */
const labels = new WeakMap();
/** By which Node.js finds what a handle belongs to. @type {symbol | undefined} */
let owner_symbol;

/** @param {object} server @param {number} label */
export function labelServer(server, label) {
  labels.set(server, label);
}

/**
 * The label of the server that a resource of Node.js belongs to: its own handle, one of its connections, or what reads requests there.
 * @param {any} resource
 * @returns {number | undefined}
 */
export function serverOf(resource) {
  const owner = resource.socket ?? ownerOf(resource);
  if (typeof owner !== 'object' || owner === null) return undefined;
  return labels.get(owner) ?? (owner.server ? labels.get(owner.server) : undefined);
}

/** @param {any} handle */
function ownerOf(handle) {
  owner_symbol ??= Object.getOwnPropertySymbols(handle).find(
    ({ description }) => description === 'owner_symbol',
  );
  return owner_symbol && handle[owner_symbol];
}
