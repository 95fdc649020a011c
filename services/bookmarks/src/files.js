// @ts-check
/** Bookmarks as files: JSON, and the format that browsers import (Netscape bookmark file). */

/** @import { Bookmark } from './store.js' */

/** @typedef {{ name: string, type: string, content: string }} File */

/** @param {Bookmark[]} bookmarks @returns {File} */
export function jsonFile(bookmarks) {
  return {
    name: 'bookmarks.json',
    type: 'application/json',
    content: JSON.stringify({ bookmarks }, null, 2),
  };
}

/** @param {Bookmark[]} bookmarks @returns {File} */
export function htmlFile(bookmarks) {
  const lines = bookmarks.map(({ url, title, tags, added_ms }) => {
    const tagged = tags.length === 0 ? '' : ` TAGS="${escaped(tags.join(','))}"`;
    const added_s = Math.floor(added_ms / 1000);
    return `    <DT><A HREF="${escaped(url)}" ADD_DATE="${added_s}"${tagged}>${escaped(title || url)}</A>`;
  });
  const content = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
${lines.join('\n')}
</DL><p>
`;
  return { name: 'bookmarks.html', type: 'text/html', content };
}

/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
