// @ts-check
/** The logger: everything from the level up to the console; warnings and errors to files of their own as well. */

import { join } from 'node:path';
import winston from 'winston';

const { combine, json, timestamp } = winston.format;

/**
 * @param {Pick<import('./config.js').Config, 'log_level' | 'log_dir'>} config
 * @returns {winston.Logger}
 */
export function createLog({ log_level, log_dir }) {
  /** @type {winston.transport[]} */
  const transports = [new winston.transports.Console()];
  if (log_dir !== undefined) {
    for (const level of ['warn', 'error']) {
      transports.push(new winston.transports.File({ level, filename: join(log_dir, `${level}.log`) }));
    }
  }
  return winston.createLogger({
    level: log_level === 'silent' ? 'error' : log_level,
    silent: log_level === 'silent',
    format: combine(timestamp(), json()),
    transports,
  });
}
