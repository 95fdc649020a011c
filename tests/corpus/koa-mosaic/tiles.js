// The tiles of a mosaic.
import { parentPort, workerData } from 'node:worker_threads';

const tiles = Array.from({ length: 12 }, (_, index) => (workerData * 31 + index * 17) % 256);
parentPort?.postMessage(tiles);
