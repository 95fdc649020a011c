// @ts-check
/** The logger: everything from the level up to one sink; warnings and errors to files of their own as well. */

import { join } from 'node:path';
import winston from 'winston';

const { combine, json, timestamp } = winston.format;

/**
 * @param {Pick<import('./config.js').Config, 'log_level' | 'log_sink' | 'log_dir'>} config
 * @returns {winston.Logger}
 */
export function createLog({ log_level, log_sink, log_dir }) {
  /** @type {winston.transport[]} */
  const transports = [];
  if (log_sink === 'stdout') transports.push(new winston.transports.Console());
  if (log_dir !== undefined) {
    if (log_sink === 'file') {
      transports.push(new winston.transports.File({ filename: join(log_dir, 'info.log') }));
    }
    for (const level of ['warn', 'error']) {
      transports.push(new winston.transports.File({ level, filename: join(log_dir, `${level}.log`) }));
    }
  }
  return winston.createLogger({
    level: log_level === 'silent' ? 'error' : log_level,
    // A logger without a transport complains at each line.
    silent: log_level === 'silent' || transports.length === 0,
    format: combine(timestamp(), json()),
    transports,
  });
}
