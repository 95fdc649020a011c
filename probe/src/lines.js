// @ts-check
// What the receiver says, line by line.

/** A command that does not end. */
const COMMAND_LENGTH_MAX = 1 << 16;

/** @param {import('node:net').Socket} socket @param {(line: string) => void} onLine */
export function readLines(socket, onLine) {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > COMMAND_LENGTH_MAX) socket.destroy();
    for (const line of lines) if (line !== '') onLine(line);
  });
}
