// @ts-check
/** Rooms of a chat: who is in them, and what is said there. It knows sockets of Socket.IO, and no server. */

const NAME = /^[a-z0-9-]{1,32}$/;
const TEXT_LENGTH_MAX = 1000;

/**
 * @typedef {{ name: string, room: string }} Member
 * @typedef {import('socket.io').Socket<any, any, any, Member>} Socket
 * @typedef {import('socket.io').Server<any, any, any, Member>} Server
 * @typedef {{ ok: true, room: string, members?: string[] } | { ok: false, code: string, text: string }} Reply
 */

/** Who is let in: `auth: { name, room }`. @param {unknown} auth @returns {Member} */
export function memberOf(auth) {
  const { name, room } = /** @type {Record<string, unknown>} */ (auth ?? {});
  if (isName(name) && isName(room)) return { name, room };
  throw new Error('expected `auth: { name, room }`, each with 1 to 32 of a-z, 0-9 and -');
}

/**
 * A member is there from now on.
 * @param {Server} io @param {Socket} socket @param {(result: 'done' | 'refused') => void} count
 */
export function welcome(io, socket, count) {
  const { data } = socket;
  enter(data.room);
  on('say', say);
  on('who', who);
  on('move', move);
  // Its rooms are left behind this event.
  socket.on('disconnecting', () => socket.to(data.room).emit('gone', data.name));

  /** @param {string} room */
  function enter(room) {
    data.room = room;
    socket.join(room);
    socket.to(room).emit('came', data.name);
  }

  /** One text for all, however many they are. @param {unknown} text @returns {Reply} */
  function say(text) {
    if (typeof text !== 'string' || text === '' || text.length > TEXT_LENGTH_MAX) {
      return refused('invalid_text', `expected a text of 1 to ${TEXT_LENGTH_MAX} characters`);
    }
    socket.to(data.room).emit('said', { from: data.name, text });
    return { ok: true, room: data.room };
  }

  /** Asks all processes. @returns {Promise<Reply>} */
  async function who() {
    const sockets = await io.in(data.room).fetchSockets();
    const members = new Set(sockets.map((other) => other.data.name));
    return { ok: true, room: data.room, members: [...members].sort() };
  }

  /** @param {unknown} room @returns {Reply} */
  function move(room) {
    if (!isName(room)) return refused('invalid_room', 'expected a name of 1 to 32 of a-z, 0-9 and -');
    socket.to(data.room).emit('gone', data.name);
    socket.leave(data.room);
    enter(room);
    return { ok: true, room };
  }

  /** @param {string} event @param {(said: unknown) => Reply | Promise<Reply>} reply */
  function on(event, reply) {
    socket.on(event, async (/** @type {unknown[]} */ ...args) => {
      const acknowledge = args.pop();
      const [said] = typeof acknowledge === 'function' ? args : [acknowledge];
      const result = await reply(said);
      count(result.ok ? 'done' : 'refused');
      if (typeof acknowledge === 'function') acknowledge(result);
    });
  }
}

/** @param {string} code @param {string} text @returns {Reply} */
const refused = (code, text) => ({ ok: false, code, text });

/** @param {unknown} name @returns {name is string} */
const isName = (name) => typeof name === 'string' && NAME.test(name);
