// @ts-check
/**
 * The errors of this service, beside those that every service has. A code may be added, never renamed. A process
 * variable that is dead is no error: it is a result.
 */

import { problemsOf } from '@plimsoll/service-common/problem.js';

export class Problem extends problemsOf('snapshot', {
  invalid_query: { status: 400, title: 'The query does not have the expected shape' },
  nothing_asked: { status: 400, title: 'The query names no process variable' },
  too_many_pvs: { status: 400, title: 'The query names more process variables than one response may have' },
  group_not_found: { status: 404, title: 'There is no such group of process variables' },
  too_many_streams: { status: 503, title: 'As many clients as this service accepts follow events already' },
}) {}
