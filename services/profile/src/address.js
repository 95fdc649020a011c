// @ts-check

/** The address of a server, without the password in it. @param {string} url */
export function redacted(url) {
  return url.replace(/\/\/[^@/]*@/, '//…@');
}
