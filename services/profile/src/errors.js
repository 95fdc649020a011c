// @ts-check
/** The errors of this service, beside those that every service has. A code may be added, never renamed. */

import { problemsOf } from '@plimsoll/service-common/problem.js';

export class Problem extends problemsOf('profile', {
  token_missing: { status: 401, title: 'A bearer token is needed' },
  token_invalid: { status: 401, title: 'The bearer token is unknown or has expired' },
  credentials_invalid: { status: 401, title: 'The user or the secret is wrong' },
  too_many_sessions: { status: 503, title: 'Too many sessions are open' },
  profile_not_found: { status: 404, title: 'You have no such profile' },
  source_changed: { status: 412, title: 'The source no longer has this ETag' },
  etag_stale: { status: 412, title: 'The profile no longer has this ETag' },
  etag_missing: { status: 428, title: 'An If-Match header is needed' },
  profile_busy: { status: 503, title: 'The profile is being changed by too many requests at once' },
  queue_full: { status: 503, title: 'Too many profiles wait to be stored' },
  cache_unavailable: { status: 503, title: 'The cache cannot be reached' },
  store_unavailable: { status: 503, title: 'The store cannot be reached' },
  outcome_unknown: {
    status: 503,
    title: 'The connection broke before it was known whether the change was made',
  },
}) {}

/** @typedef {ConstructorParameters<typeof Problem>[0]} ErrorCode */
