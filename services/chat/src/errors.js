// @ts-check
/** The errors of this service. A code may be added, never renamed. */

import { problemsOf } from '@plimsoll/service-common/problem.js';

/** What a request is told; there are no others but those that every service has. */
export class Problem extends problemsOf('chat', {}) {}
