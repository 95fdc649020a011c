// @ts-check
/** The application, apart from the server that it runs in. */

import compression from 'compression';
import express from 'express';
import { answerProblem, Problem } from './errors.js';
import { renderPage } from './page.js';

/**
 * @param {object} parts
 * @param {Pick<import('./config.js').Config, 'compression' | 'console_log'>} parts.config
 * @param {import('winston').Logger} parts.log
 * @param {(port: number | undefined) => import('./facts.js').Facts} parts.facts
 * @returns {import('express').Express}
 */
export function createApp({ config, log, facts }) {
  const app = express();
  app.disable('x-powered-by');
  // The page differs at each request, so a tag to compare it by would be work for nothing.
  app.disable('etag');
  if (config.compression) app.use(compression());

  app
    .route('/info')
    .get((req, res) => {
      const info = facts(req.socket.localPort);
      // The line whose cost is to be measured: a write that blocks when stdout is a file.
      if (config.console_log) console.log(info);
      res.type('html').send(renderPage(info));
      log.info('answered', { method: req.method, url: req.url, status: res.statusCode });
    })
    .all(refuseMethod);
  app
    .route(['/health/live', '/health/ready'])
    .get((_req, res) => {
      res.type('text').send('ok\n');
    })
    .all(refuseMethod);

  app.use(() => {
    throw new Problem('path_not_found');
  });
  app.use(answerProblem(log));
  return app;
}

/** @type {import('express').RequestHandler} */
function refuseMethod(req, res) {
  res.set('allow', 'GET, HEAD');
  throw new Problem('method_not_allowed', `found ${req.method}, expected GET or HEAD`);
}
