// @ts-check
/** The errors of this service. A code may be added, never renamed. */

import { problemsOf } from '@plimsoll/service-common/problem.js';

/** What a request is told; there are no others but those that every service has. */
export class Problem extends problemsOf('bookmarks', {}) {}

/** What a user is told who said something that cannot be done. */
export class Refusal extends Error {
  /**
   * @param {'invalid_line' | 'unknown_command' | 'invalid_url' | 'invalid_title' | 'invalid_tag' | 'invalid_id'
   *   | 'invalid_format' | 'nothing_to_search' | 'no_such_bookmark' | 'too_many_bookmarks'} code
   * @param {string} text what was found and what was expected
   */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}
