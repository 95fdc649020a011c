// @ts-check
// Lets users in by a cookie and leads them to pages of their own, where nobody gets without it; over HTTP/1.1 or, with HTTP=2, over HTTP/2.
import * as http from 'node:http';
import * as http2 from 'node:http2';

const { HTTP, PORT } = process.env;

/**
 * @param {http.IncomingMessage | http2.Http2ServerRequest} req
 * @param {any} res
 */
async function respond(req, res) {
  let body = '';
  for await (const chunk of req) body += chunk;
  const url = String(req.url);
  if (req.method === 'POST' && url.startsWith('/login/')) {
    const user = url.slice('/login/'.length);
    const cookie = `user=${user}`;
    res.writeHead(303, { location: `../page/${user}`, 'set-cookie': cookie }).end(body);
  } else if (url.startsWith('/moved/')) {
    res.writeHead(307, { location: `/page/${url.slice('/moved/'.length)}` }).end('moved');
  } else if (req.headers.cookie === `user=${url.slice('/page/'.length)}`) {
    res.writeHead(200).end(JSON.stringify({ method: req.method, page: url, said: body }));
  } else {
    res.writeHead(403).end(`no ${req.headers.cookie} for ${url}`);
  }
}

const server = HTTP === '2' ? http2.createServer(respond) : http.createServer(respond);
server.listen(Number(PORT), '127.0.0.1');
