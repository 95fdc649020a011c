// @ts-check
/**
 * The way to the server and back: it finds a place, is told news by long poll, events or WebSocket, comes back with its
 * ticket after whatever happens, and throws. It must not know the page.
 */

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
const KEY = 'sprites';

/**
 * @param {object} options
 * @param {string} options.way poll, events or socket
 * @param {(news: any) => void} options.onNews
 * @param {(text: string) => void} options.onState
 */
export function connect({ way, onNews, onState }) {
  // In this tab alone: a tab that is opened twice is two clients.
  /** @type {{ ticket: string, after: number }} */
  let known = JSON.parse(sessionStorage.getItem(KEY) ?? '{"ticket":"","after":0}');
  let chosen = way;
  let stop = new AbortController();
  /** @type {WebSocket | undefined} */
  let socket;

  /** @param {any} news */
  function take(news) {
    if (news.replaced) throw new Error('another window has this place');
    if (news.ticket !== undefined && news.ticket !== known.ticket) {
      known = {
        ticket: news.ticket,
        after: Math.min(known.after, news.next - news.sprites.length - (news.missed ?? 0)),
      };
    }
    // What was told twice, because the first time may not have arrived, is taken once.
    const old = Math.max(0, known.after - (news.next - news.sprites.length));
    known.after = Math.max(known.after, news.next);
    sessionStorage.setItem(KEY, JSON.stringify(known));
    onNews({ ...news, sprites: news.sprites.slice(old) });
    if (news.move) throw new Error('this worker stops');
  }

  /** @param {AbortSignal} signal */
  async function run(signal) {
    let pause_ms = FIRST_PAUSE_MS;
    let lost = false;
    while (!signal.aborted) {
      try {
        const { url } = await (await fetch('place', { signal })).json();
        const told = () => {
          if (lost) onState('Connected again.');
          lost = false;
          pause_ms = FIRST_PAUSE_MS;
        };
        await WAYS[/** @type {keyof typeof WAYS} */ (chosen)](url, signal, told);
      } catch (error) {
        if (signal.aborted) return;
        if (!lost) onState(`Connecting again: ${/** @type {Error} */ (error).message}.`);
        lost = true;
        await new Promise((resolve) => setTimeout(resolve, pause_ms * (0.5 + Math.random())));
        pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS);
      }
    }
  }

  /** @param {string} base @param {string} path @param {boolean} [again] whether the place is known */
  function address(base, path, again = false) {
    const query = new URLSearchParams({ watch: again ? 'changes' : 'now' });
    if (known.ticket !== '') {
      query.set('ticket', known.ticket);
      query.set('after', `${known.after}`);
    }
    return `${base}/${path}?${query}`;
  }

  const WAYS = {
    /** @param {string} base @param {AbortSignal} signal @param {() => void} told */
    async poll(base, signal, told) {
      for (let again = false; ; again = true) {
        const response = await fetch(address(base, 'poll', again), { signal });
        const news = await response.json();
        if (!response.ok) throw new Error(news.title);
        told();
        take(news);
      }
    },

    /** @param {string} base @param {AbortSignal} signal @param {() => void} told @returns {Promise<void>} */
    events(base, signal, told) {
      return new Promise((_, reject) => {
        const source = new EventSource(address(base, 'events'));
        const end = (/** @type {Error} */ error) => {
          source.close();
          reject(error);
        };
        signal.addEventListener('abort', () => end(new Error('stopped')));
        source.addEventListener('error', () => end(new Error('the events broke off')));
        source.addEventListener('message', ({ data }) => {
          told();
          try {
            take(JSON.parse(data));
          } catch (error) {
            end(/** @type {Error} */ (error));
          }
        });
      });
    },

    /** @param {string} base @param {AbortSignal} signal @param {() => void} told @returns {Promise<void>} */
    socket(base, signal, told) {
      return new Promise((_, reject) => {
        const opened = new WebSocket(address(base.replace(/^http/, 'ws'), 'socket'));
        const end = (/** @type {Error} */ error) => {
          socket = undefined;
          opened.close();
          reject(error);
        };
        socket = opened;
        signal.addEventListener('abort', () => end(new Error('stopped')));
        opened.addEventListener('close', () => end(new Error('the WebSocket closed')));
        opened.addEventListener('message', ({ data }) => {
          told();
          const message = JSON.parse(data);
          if (message.problem !== undefined) {
            onState(message.problem.title);
            return;
          }
          try {
            take(message);
            opened.send(JSON.stringify({ acknowledge: known.after }));
          } catch (error) {
            end(/** @type {Error} */ (error));
          }
        });
      });
    },
  };

  void run(stop.signal);

  return {
    /** @param {string} other way, from now on */
    use(other) {
      chosen = other;
      stop.abort();
      stop = new AbortController();
      void run(stop.signal);
    },

    /** @param {string} to @param {import('../sprite.js').Sprite} sprite */
    async throw(to, sprite) {
      if (socket?.readyState === WebSocket.OPEN) {
        socket.send(JSON.stringify({ throw: { to, sprite } }));
        return;
      }
      const response = await fetch('throw', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ticket: known.ticket, to, sprite }),
      }).catch(() => undefined);
      if (response?.ok) return;
      const why = await response?.json().catch(() => undefined);
      onState(`${sprite.name} is lost: ${why?.title ?? 'no connection'}.`);
    },
  };
}
