// @ts-check
/** The process that stores what the service changed: environment in, exit code out. */

import { runProcess } from '@plimsoll/service-common/process.js';
import { readConfig } from './config.js';
import { startPersister } from './persisting/service.js';

await runProcess(readConfig, startPersister);
