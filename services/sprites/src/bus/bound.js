// @ts-check
/**
 * Bounds what waits in this process because the other side of an engine takes it too slowly: above the bound texts are
 * dropped, and when the queue has emptied, that is said.
 */

const MOST_CHARACTERS = 32 * 1024 * 1024;

/** @param {() => void} lost something was dropped, and there is room again */
export function createBound(lost, most = MOST_CHARACTERS) {
  let waiting = 0;
  let dropped = false;
  return {
    /** @param {number} length @returns {boolean} whether it may be sent */
    takes(length) {
      if (waiting + length > most) {
        dropped = true;
        return false;
      }
      waiting += length;
      return true;
    },
    /** @param {number} length of what has left this process */
    left(length) {
      waiting -= length;
      if (waiting === 0 && dropped) {
        dropped = false;
        lost();
      }
    },
  };
}
