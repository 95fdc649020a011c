// @ts-check
/** The process: environment in, exit code out. */

import { runProcess } from '@plimsoll/service-common/process.js';
import { readConfig } from './config.js';
import { startService } from './service.js';

await runProcess(readConfig, startService);
