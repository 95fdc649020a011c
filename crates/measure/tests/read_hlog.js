// @ts-check
// Reads an interval log with HdrHistogram's own JavaScript library and prints what it finds, one JSON array per
// line: tag, start in s, count, median, p99 and maximum in ns.
import { readFileSync } from 'node:fs';
import { HistogramLogReader } from 'hdr-histogram-js';

// Beyond 2^53 ns there is nothing in our logs, so doubles are enough for counts and values.
const BITS_PER_COUNT = 64;

const [file] = process.argv.slice(2);
const reader = new HistogramLogReader(readFileSync(file, 'utf8'), BITS_PER_COUNT);
for (;;) {
  const histogram = reader.nextIntervalHistogram();
  if (!histogram) break;
  const { tag, startTimeStampMsec, totalCount, maxValue } = histogram;
  const at = (percentile) => histogram.getValueAtPercentile(percentile);
  console.log(JSON.stringify([tag, startTimeStampMsec / 1000, totalCount, at(50), at(99), maxValue]));
}
