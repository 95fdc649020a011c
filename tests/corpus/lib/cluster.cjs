// @ts-check
// Runs the service that it is told as two workers of a cluster.
const cluster = require('node:cluster');
const { resolve } = require('node:path');

cluster.setupPrimary({ exec: resolve(process.argv[2]) });
cluster.fork();
cluster.fork();
