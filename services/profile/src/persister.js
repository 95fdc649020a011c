// @ts-check
/** The process that stores what the service changed: environment in, exit code out. */

import { startPersister } from './persisting/service.js';
import { runProcess } from './process.js';

await runProcess(startPersister);
