// @ts-check
/** Which pages may use the service. Where a request comes from a page, its browser says so by the header Origin. */

/** @param {string} host */
export function isLoopback(host) {
  return /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/.test(host);
}

/**
 * Those of the hosts by which the service is known, on any port, and those that are listed. Which host a request says
 * it is for does not count: whoever has a name can let it lead to this machine.
 * @param {object} options
 * @param {string} options.host where the service listens
 * @param {string | undefined} options.public_host
 * @param {string[]} options.origins
 */
export function originCheck({ host, public_host, origins }) {
  const listed = new Set(origins);
  const known = new Set([bare(host), bare(public_host ?? host)]);
  const onLoopback = isLoopback(host);

  /** @param {string} hostname */
  const isKnown = (hostname) => known.has(hostname) || (onLoopback && isLoopback(hostname));

  /** Whether a page may. @param {string | undefined} origin none: the request is not from a page */
  return (origin) => origin === undefined || listed.has(origin) || isKnown(hostnameOf(origin));
}

/** @param {string} origin */
function hostnameOf(origin) {
  try {
    return bare(new URL(origin).hostname);
  } catch {
    return '';
  }
}

/** Without the brackets of an IPv6 address in a URL. @param {string} host */
function bare(host) {
  return host.replace(/^\[|\]$/g, '').toLowerCase();
}
