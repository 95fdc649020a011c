// @ts-check
// Requests over HTTP/2: each stream is one.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { test } from 'node:test';
import { counter, nodes, service, startService } from './support.js';

const STREAMS = 40;

/** The length of the response. @param {import('node:http2').ClientHttp2Session} session @param {string} path */
async function read(session, path) {
  const stream = session.request({ ':path': path, 'accept-encoding': 'gzip' });
  let bytes = 0;
  stream.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await once(stream, 'close');
  return bytes;
}

for (const { version, node } of nodes) {
  test(`Node.js ${version} counts streams as requests, and looks at their responses`, async (t) => {
    const { connection, url } = await startService(t, { node, file: service('streams.cjs') });
    const session = connect(url);
    t.after(() => session.destroy());
    const lengths = await Promise.all(Array.from({ length: STREAMS }, () => read(session, '/stream')));
    assert.deepEqual([...new Set(lengths)], [10_000], 'the service responds as it does without a probe');
    assert.equal(await read(session, '/compat'), 5000);
    const { requests, responses, ...report } = await connection.report();
    assert.equal(requests.started, STREAMS + 1);
    assert.equal(requests.connections, 1);
    assert.ok(
      requests.followed > 0 && requests.followed_ns / requests.followed >= 15e6,
      JSON.stringify(requests),
    );
    // Of those to /compat, which have neither a type nor an ETag, the one is looked at if it comes late enough.
    const looked = responses.etag;
    const compat = responses.sampled - looked;
    assert.ok(looked >= 1 && (compat === 0 || compat === 1), JSON.stringify(responses));
    assert.equal(responses.compressible, looked);
    assert.equal(responses.accepts_encoding, looked);
    assert.equal(responses.body_bytes, looked * 10_000 + compat * 5000);
    assert.equal(counter(report, 'JSON.parse').calls, STREAMS);
  });
}
