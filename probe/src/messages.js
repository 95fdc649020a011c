// @ts-check
// Messages on WebSockets: how many come, how many are sent and who has them compressed, by the package `ws`, over which Socket.IO speaks as well.

import { onLoaded } from './loaded.js';
import { packageOf } from './sites.js';
import { quietly, state } from './state.js';
import { AT } from './table.js';
import { replace, sizeOf, wrap } from './wrap.js';

/** Of the first byte of a frame (RFC 6455, section 5.2). */
const COMPRESSED = 0x40;
const OPCODE = 0x0f;
const TEXT = 1;
const BINARY = 2;
/** Of the second: only clients mask what they say. */
const MASKED = 0x80;

const { table } = state;

export function watchMessages() {
  onLoaded((file, exports) => {
    if (packageOf(file) === 'ws') {
      replace(exports.prototype, 'dataMessage', received);
      replace(exports.prototype, 'sendFrame', sent);
      // A task of the threadpool for each message.
      wrap(exports.prototype, 'compress', 'ws PerMessageDeflate.compress', 'pool', (_, [data]) =>
        sizeOf(data),
      );
    }
    return exports;
  });
}

/** @param {Function} original of the class that reads frames: a frame of a message is whole */
function received(original) {
  return {
    /** @this {any} @param {any[]} args */
    dataMessage(...args) {
      if (state.on && this._fin && this._isServer !== false) table[AT.messages] += 1;
      return Reflect.apply(original, this, args);
    },
  }.dataMessage;
}

/** @param {Function} original of the class that writes frames */
function sent(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    sendFrame(...args) {
      if (state.on) quietly(() => look(args[0]));
      return Reflect.apply(original, this, args);
    },
  }.sendFrame;
}

/** Control frames, fragments behind the first, and what the service says as a client do not count. @param {any} list head and payload of a frame */
function look([head]) {
  const opcode = head[0] & OPCODE;
  if ((opcode !== TEXT && opcode !== BINARY) || (head[1] & MASKED) !== 0) return;
  table[AT.messages_sent] += 1;
  if ((head[0] & COMPRESSED) !== 0) table[AT.messages_compressed] += 1;
}
