// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCounter,
  createHistogram,
  createPairCounter,
  createRequestCounter,
  METRICS_TYPE,
  renderMetrics,
} from '../src/metrics.js';

test('requests are counted by route and status', () => {
  const requests = createRequestCounter('greeting');
  for (const status of [200, 200, 404]) requests.add('/hello/{name}', status);
  requests.add('none', 404);
  assert.deepEqual(requests.lines(), [
    '# HELP greeting_requests_total Requests served.',
    '# TYPE greeting_requests_total counter',
    'greeting_requests_total{route="/hello/{name}",status="200"} 2',
    'greeting_requests_total{route="/hello/{name}",status="404"} 1',
    'greeting_requests_total{route="none",status="404"} 1',
  ]);
});

test('a counter tells the values of its label from the start, and all others as one', () => {
  const turns = createCounter('turns_total', 'Turns.', 'path', ['warm', 'cold']);
  turns.add('cold');
  turns.add('cold', 4);
  for (const value of ['new', '__proto__', '"} 1\nmade_up_total{a="b']) turns.add(value);
  assert.deepEqual(turns.lines().slice(2), [
    'turns_total{path="warm"} 0',
    'turns_total{path="cold"} 5',
    'turns_total{path="other"} 3',
  ]);
});

test('whatever is counted by two labels, there are no more series than pairs of known values', () => {
  const parts = createPairCounter(
    'parts_total',
    'Parts.',
    ['upstream', 'result'],
    [['a'], ['present', 'late']],
  );
  parts.add('a', 'present');
  parts.add('a', 'present');
  for (let at = 0; at < 1_000; at += 1) {
    parts.add('a', `reason ${at}"} 1\nmade_up_total{a="b`);
    parts.add(`upstream ${at}`, 'late');
  }
  assert.deepEqual(parts.lines().slice(2), [
    'parts_total{upstream="a",result="present"} 2',
    'parts_total{upstream="a",result="other"} 1000',
    'parts_total{upstream="other",result="late"} 1000',
  ]);
});

test('a value that is known is escaped', () => {
  const odd = createCounter('odd_total', 'Odd.', 'value', ['a"b\\c\nd']);
  assert.deepEqual(odd.lines().slice(2), ['odd_total{value="a\\"b\\\\c\\nd"} 0']);
});

test('a histogram is cumulative, its ends belong to their bucket, and what is above all is in the last', () => {
  const times = createHistogram('times_seconds', 'Times.', [0.25, 0.5]);
  for (const time_ms of [125, 250, 375, 500, 750]) times.add(time_ms);
  assert.deepEqual(times.lines(), [
    '# HELP times_seconds Times.',
    '# TYPE times_seconds histogram',
    'times_seconds_bucket{le="0.25"} 2',
    'times_seconds_bucket{le="0.5"} 4',
    'times_seconds_bucket{le="+Inf"} 5',
    'times_seconds_sum 2',
    'times_seconds_count 5',
  ]);
});

test('all of it together, with what every process has', () => {
  const text = renderMetrics([createCounter('a_total', 'A.', 'a', [])], {
    b: { help: 'B.', value: () => 1.5 },
    c_total: { help: 'C.', value: () => Number.NaN },
  });
  assert.match(
    text,
    new RegExp(
      '^# HELP a_total A\\.\n# TYPE a_total counter\n' +
        '# HELP b B\\.\n# TYPE b gauge\nb 1\\.5\n' +
        '# HELP c_total C\\.\n# TYPE c_total counter\nc_total NaN\n' +
        '# HELP process_cpu_seconds_total [^\n]+\n# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total [0-9.]+\n' +
        '# HELP process_resident_memory_bytes [^\n]+\n# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \\d+\n$',
    ),
  );
  assert.match(METRICS_TYPE, /version=0\.0\.4/);
});
