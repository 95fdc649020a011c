// @ts-check
/** The process: environment in, exit code out. */

import { runProcess } from '@plimsoll/service-common/process.js';
import { readConfig } from './config.js';
import { startProcesses } from './processes.js';

await runProcess(readConfig, startProcesses);
