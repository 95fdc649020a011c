// @ts-check
/** The process: environment in, exit code out. */

import { runProcess } from './process.js';
import { startService } from './service.js';

await runProcess(startService);
