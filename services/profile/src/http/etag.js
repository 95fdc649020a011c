// @ts-check
/** Entity tags (RFC 9110, sections 8.8.3 and 13.1) as this service makes and compares them. */

/**
 * The version alone would not do: after a crash that lost the newest versions, a number comes again with other
 * content. Together with the time of the change it does not.
 * @param {{ version: number, updated_ms: number }} profile
 */
export function etagOf({ version, updated_ms }) {
  return `"${version}-${updated_ms.toString(36)}"`;
}

/**
 * Whether an If-Match or If-None-Match header names the tag.
 * @param {string} header
 * @param {string} etag
 * @param {{ weak: boolean }} comparison a weak one takes W/"x" for "x", as If-None-Match wants
 */
export function matches(header, etag, { weak }) {
  if (header.trim() === '*') return true;
  return header.split(',').some((member) => {
    const tag = member.trim();
    return tag === etag || (weak && tag === `W/${etag}`);
  });
}
