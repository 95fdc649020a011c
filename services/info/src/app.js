// @ts-check
/** The application, apart from the server that it runs in. */

import { METRICS_TYPE } from '@plimsoll/service-common/metrics.js';
import compression from 'compression';
import express from 'express';
// @ts-expect-error it has no types
import http2Express from 'http2-express';
import { Problem, respondWithProblem } from './errors.js';
import { createPage } from './page.js';

/** The only paths that metrics name: the values of a label must stay few. */
const ROUTES = ['/info', '/health/live', '/health/ready', '/metrics'];

/**
 * @param {object} parts
 * @param {Pick<import('./config.js').Config, 'http' | 'compression' | 'template_cache' | 'console_log'>} parts.config
 * @param {import('winston').Logger} parts.log
 * @param {import('./metrics.js').Metrics} parts.metrics
 * @param {(port: number | undefined) => import('./facts.js').Facts} parts.facts
 * @param {() => string | undefined} parts.readiness what stands in the way of requests
 * @returns {import('express').Express}
 */
export function createApp({ config, log, metrics, facts, readiness }) {
  const renderPage = createPage({ cached: config.template_cache });
  // Requests of node:http2 do not fit what express makes of those of node:http.
  /** @type {import('express').Express} */
  const app = config.http === '1.1' ? express() : http2Express(express);
  app.disable('x-powered-by');
  // The page differs at each request, so a tag to compare it by would be work for nothing.
  app.disable('etag');
  app.use((req, res, next) => {
    res.once('finish', () => metrics.request(ROUTES.includes(req.path) ? req.path : 'none', res.statusCode));
    next();
  });
  if (config.compression) app.use(compression());

  app
    .route('/info')
    .get((req, res) => {
      const info = facts(req.socket.localPort);
      // The line whose cost is to be measured: a write that blocks when stdout is a file.
      if (config.console_log) console.log(info);
      res.type('html').send(renderPage(info));
      log.info('responded', { method: req.method, url: req.url, status: res.statusCode });
    })
    .all(refuseMethod);
  app
    .route('/health/live')
    .get((_req, res) => {
      res.type('text').send('live\n');
    })
    .all(refuseMethod);
  app
    .route('/health/ready')
    .get((_req, res) => {
      const obstacle = readiness();
      if (obstacle !== undefined) throw new Problem('not_ready', obstacle);
      res.type('text').send('ready\n');
    })
    .all(refuseMethod);
  app
    .route('/metrics')
    .get((_req, res) => {
      res.set('content-type', METRICS_TYPE).send(metrics.toText());
    })
    .all(refuseMethod);

  app.use(() => {
    throw new Problem('path_not_found');
  });
  app.use(respondWithProblem(log));
  return app;
}

/** @type {import('express').RequestHandler} */
function refuseMethod(req, res) {
  res.set('allow', 'GET, HEAD');
  throw new Problem('method_not_allowed', `found ${req.method}, expected GET or HEAD`);
}
