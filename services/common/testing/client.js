// @ts-check
/** The client of the tests: asks by HTTP, or sends bytes that no HTTP client would send. */

import { connect } from 'node:net';

/** @typedef {{ status: number, headers: Headers, text: string, json: any }} TestResponse `json` where it says that it is */

/** @param {string} url of a service */
export function asker(url) {
  /** @param {string} path @param {RequestInit} [init] @returns {Promise<TestResponse>} */
  return async function ask(path, init) {
    const res = await fetch(url + path, init);
    const text = await res.text();
    const isJson = /json$/.test(res.headers.get('content-type') ?? '') && text !== '';
    return { status: res.status, headers: res.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
}

/** A connection on which bytes are sent as they are. @param {string} url @param {string} bytes */
export function open(url, bytes) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return socket;
}

/** The response to bytes, until the connection is closed; a reset closes it as well. @param {string} url @param {string} bytes */
export async function send(url, bytes) {
  let text = '';
  try {
    for await (const chunk of open(url, bytes)) text += chunk;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ECONNRESET') throw error;
  }
  return text;
}
