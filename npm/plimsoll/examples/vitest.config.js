// @ts-check
import { defineConfig } from 'vitest/config';

// One file after the other: two services that are measured at once share the cores.
export default defineConfig({ test: { include: ['*.vitest.js'], fileParallelism: false } });
