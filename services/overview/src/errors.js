// @ts-check
/** The errors of this service, beside those that every service has. A code may be added, never renamed. */

import { problemsOf } from '@plimsoll/service-common/problem.js';

export class Problem extends problemsOf('overview', {
  invalid_account: { status: 400, title: 'This cannot be the name of an account' },
  unexpected_body: { status: 400, title: 'No request here has a body' },
  too_busy: { status: 503, title: 'Too many pages are being put together' },
}) {}
