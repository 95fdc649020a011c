// @ts-check
/** JSON from outside. What is nested without a bound would later use up the stack of whatever walks through it. */

/** Deeper than anything that a service here is sent. */
export const MOST_LEVELS = 64;

/** JSON that is nested too deep. */
export class TooDeepError extends SyntaxError {
  constructor() {
    super(`nested too deep: expected at most ${MOST_LEVELS} levels`);
  }
}

/**
 * @param {string} text
 * @returns {any}
 * @throws {SyntaxError} if it is not JSON; a TooDeepError if it has more than `MOST_LEVELS` levels
 */
export function parseJson(text) {
  if (hasManyOpenings(text) && levelsOf(text) > MOST_LEVELS) throw new TooDeepError();
  return JSON.parse(text);
}

/** Whether it could have too many levels at all: nearly always not, and that is quickly seen. @param {string} text */
function hasManyOpenings(text) {
  if (text.length <= MOST_LEVELS) return false;
  let left = MOST_LEVELS;
  for (const opening of ['{', '[']) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

/** How deep arrays and objects lie in each other; of what is not JSON, some number. @param {string} text */
function levelsOf(text) {
  let levels = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        levels += 1;
        most = Math.max(most, levels);
        break;
      case '}':
      case ']':
        levels -= 1;
        break;
    }
  }
  return most;
}

/** The index of the quote that ends a string. @param {string} text @param {number} start of its first quote */
function endOfString(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
