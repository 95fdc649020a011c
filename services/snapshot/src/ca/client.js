// @ts-check
/**
 * Channel Access by epics-tca, and the only file that knows that package. It is given here what it lacks: a search that
 * can be called off, a channel that says when it is lost, and one object for a name.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { Channel_STATES, Context, Context_STATES, type_log_levels } from 'epics-tca';
import { TYPES } from '../types.js';

/** @import { Channel } from 'epics-tca' */
/** @import { Type } from '../types.js' */

/** Least pause between searches, in seconds. The shortest that the package takes: a cold connection waits for the next. */
const SEARCH_PERIOD_S = 0.05;
/** Frees what the package keeps for a read that never gets a response. Who asked has long stopped waiting. */
const READ_TIMEOUT_S = 10;
/** EPICS counts seconds from 1990. */
const EPICS_EPOCH_S = 631_152_000;
const SEVERITIES = /** @type {const} */ (['none', 'minor', 'major', 'invalid']);

/**
 * @typedef {object} Reading
 * @property {number | string | (number | string | null)[] | null} value null: not a number
 * @property {string} [label] of an enum
 * @property {typeof SEVERITIES[number]} severity of its alarm
 * @property {string} time at which the value was processed, ISO 8601
 */

/**
 * @typedef {object} Connection to one process variable
 * @property {Type} type
 * @property {() => Promise<Reading | undefined>} read undefined: it was lost meanwhile, or refused
 */

/**
 * @typedef {object} Client
 * @property {(name: string, lost: () => void) => Promise<Connection | undefined>} connect resolves when it is connected,
 *   however long that takes; undefined after `forget`. A name must be forgotten before it is connected again
 * @property {(name: string) => void} forget stops the search or closes the connection
 * @property {() => boolean} isOpen false when its sockets failed: nothing will be connected any more
 * @property {() => void} close
 */

/**
 * @param {{ ca_addresses: string[], ca_port: number }} config
 * @returns {Promise<Client>}
 */
export async function openClient({ ca_addresses, ca_port }) {
  // The package understands texts only, and all contexts that are open in a process have the settings of the first.
  const context = new Context(
    {
      EPICS_CA_ADDR_LIST: ca_addresses.join(' '),
      EPICS_CA_AUTO_ADDR_LIST: 'NO',
      EPICS_CA_SERVER_PORT: `${ca_port}`,
      EPICS_CA_MIN_SEARCH_PERIOD: `${SEARCH_PERIOD_S}`,
    },
    type_log_levels.fatal,
  );
  leaveBeacons(context);
  catchHandshakes(context);
  catchDatagrams(context);
  await context.initialize();
  const isOpen = () => context.getState() === Context_STATES.INITIALIZED;
  if (!isOpen()) {
    throw new Error('Channel Access cannot be used: its UDP sockets could not be opened');
  }

  /** The names that are connected or on their way, each with the call that wanted it. @type {Map<string, object>} */
  const wanted = new Map();

  /** @param {string} name */
  function forget(name) {
    wanted.delete(name);
    destroyAll(name);
  }

  /** @param {Channel} channel that was lost: the package searches it again as a second object of the same name */
  function destroy(channel) {
    destroyAll(channel.getName());
    channel.destroyHard();
  }

  /** @param {string} name */
  function destroyAll(name) {
    context.getUnresolvedCaChannelsByName()[name]?.destroyHard();
    context.getResolvedChannelsByName()[name]?.destroyHard();
  }

  return {
    async connect(name, lost) {
      const call = {};
      wanted.set(name, call);
      while (isOpen() && wanted.get(name) === call) {
        const channel = await context.createChannel(name, 'ca');
        if (wanted.get(name) !== call) return undefined;
        if (channel?.getState() === Channel_STATES.CREATED) {
          channel.setDestroySoftCallback(() => {
            // The package is in the middle of recovering the channel.
            setImmediate(() => {
              destroy(channel);
              lost();
            });
          });
          return createConnection(channel);
        }
        // It was broken off. The package does so itself, with channels on the connection of one that is given up.
        if (channel !== undefined) destroy(channel);
        await pause(SEARCH_PERIOD_S * 1_000, undefined, { ref: false });
      }
      return undefined;
    },
    forget,
    isOpen,
    close() {
      wanted.clear();
      context.destroyHard();
    },
  };
}

/**
 * The package runs a repeater of beacons for all clients of the machine in a thread, which listens on every address and
 * sometimes outlives its context. Nothing here needs beacons: channels are searched until they respond.
 * @param {Context} context
 */
function leaveBeacons(context) {
  Object.assign(context, { startCARepeater() {}, async checkCaRepeater() {} });
  context.getUdpTransport().registerToCARepeater = async () => {};
}

/**
 * The package begins handshakes that it does not wait for, so one that a controller breaks off would end the process as
 * a rejection that nobody handles. The channels of that controller learn of it by themselves.
 * @param {Context} context
 */
function catchHandshakes(context) {
  const transports = context.getTcpTransports();
  const add = transports.addTcpTransport;
  transports.addTcpTransport = (transport) => {
    const begin = transport.handShakeWithIoc;
    transport.handShakeWithIoc = () => begin().catch(() => {});
    add(transport);
  };
}

/**
 * Anyone in the network can send a datagram, and the package throws at one that it cannot read.
 * @param {Context} context
 */
function catchDatagrams(context) {
  const transport = context.getUdpTransport();
  const handle = transport.messageHandler;
  transport.messageHandler = (message, from) => {
    try {
      handle(message, from);
    } catch {
      // No response to anything that was asked: whoever waits for one goes on waiting.
    }
  };
}

/** @param {Channel} channel @returns {Promise<Connection | undefined>} */
async function createConnection(channel) {
  /** @type {Type | undefined} */
  const type = TYPES[/** @type {number} */ (channel.getDbrType())];
  if (type === undefined) return undefined;
  const labels = type === 'enum' ? await readLabels(channel) : [];
  return {
    type,
    async read() {
      writeTogether(channel);
      const found = await channel.get(READ_TIMEOUT_S, channel.getDbrType_TIME());
      if (found?.secondsSinceEpoch === undefined) return undefined;
      const value = /** @type {Reading['value']} */ (found.value);
      return {
        value,
        label: typeof value === 'number' ? labels[value] : undefined,
        severity: SEVERITIES[found.severity ?? 3],
        time: timeOf(found.secondsSinceEpoch, found.nanoSeconds ?? 0),
      };
    },
  };
}

/**
 * Sends the reads of one turn of the loop by one write: the package would make one for each.
 * @param {Channel} channel
 */
function writeTogether(channel) {
  const socket = channel.getTcpTransport()?.getSocket();
  if (socket === undefined || socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/** @param {Channel} channel */
async function readLabels(channel) {
  const found = await channel.get(READ_TIMEOUT_S, channel.getDbrType_CTRL());
  return found?.strings?.slice(0, found.number_of_string_used) ?? [];
}

/** @param {number} seconds since 1990 @param {number} nanoseconds */
function timeOf(seconds, nanoseconds) {
  return new Date((seconds + EPICS_EPOCH_S) * 1_000 + Math.floor(nanoseconds / 1e6)).toISOString();
}
