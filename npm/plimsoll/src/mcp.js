// @ts-check
/** `plimsoll mcp`: serves coding assistants by the Model Context Protocol on standard input and output. */

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { tools } from './tools.js';
import { McpServer, StdioServerTransport } from './vendor/mcp-sdk.js';

/** @import { Reach } from './tools.js' */

const HELP = `Serve coding assistants by MCP, on standard input and output

Usage: plimsoll mcp [OPTIONS]

Options:
      --allow <HOST>     Load this host as well as this machine; repeatable, * for any [env: PLIMSOLL_MCP_ALLOW]
      --limit <SECONDS>  End a tool after this time, with what was measured [default: 600]
  -h, --help             Print help
`;
const LIMIT_S = 600;
/** The exit code of the program for invalid arguments. */
const INVALID = 104;

const INSTRUCTIONS = `plimsoll measures how many requests per second a Node.js service carries within its objectives, and what limits it.
Call plan first, then capacity. Where it is too low, diagnose names causes with file and line. Fix the first cause, do not commit it, and call
compare with the run directory of the diagnosis: it measures the fix against HEAD. Gains of a diagnosis are predicted, those of a comparison are
measured. A measurement takes a minute or two, and nothing else should use the machine meanwhile.`;

/** @param {string[]} argv */
export async function serve(argv) {
  const options = optionsOf(argv);
  if (typeof options === 'number') {
    process.exitCode = options;
    return;
  }
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const server = new McpServer({ name: 'plimsoll', version }, { instructions: INSTRUCTIONS });
  for (const { name, call, ...definition } of tools(options)) server.registerTool(name, definition, call);
  await server.connect(new StdioServerTransport());
  // A client that goes away closes them. Calls are aborted then, and this process ends when what they began has ended.
  const end = () => server.close();
  process.stdin.once('end', end).once('close', end);
  process.stdout.on('error', end);
}

/** @param {string[]} argv @returns {Reach | number} an exit code where nothing is served */
function optionsOf(argv) {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        allow: { type: 'string', multiple: true, default: [] },
        limit: { type: 'string', default: String(LIMIT_S) },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    const limit_s = Number(values.limit);
    if (!(limit_s > 0 && limit_s <= 86_400))
      throw new TypeError(`found --limit ${values.limit}, expected seconds from 1 to 86400`);
    const ofEnvironment = (process.env.PLIMSOLL_MCP_ALLOW ?? '').split(',');
    const allowed = [...values.allow, ...ofEnvironment].map((host) => host.trim()).filter(Boolean);
    return { allowed, limit_s };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    process.stderr.write(`error: ${message}\nhint: plimsoll mcp --help lists the options\n`);
    return INVALID;
  }
}
