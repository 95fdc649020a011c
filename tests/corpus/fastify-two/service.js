// Feature flags from a file, and a log of who asked.
import fs from 'node:fs';
import Fastify from 'fastify';

const file = new URL('flags.txt', import.meta.url);

function flag(name) {
  const lines = fs.readFileSync(file, 'utf8').split('\n'); // planted: sync-file-read
  return lines.includes(`${name}=on`);
}

const app = Fastify();
app.get('/', () => 'ok');
app.get('/features', ({ headers }) => {
  const features = {};
  for (const name of ['search', 'chat', 'newsletter']) {
    features[name] = flag(name);
    const asked = `${headers.host} asked for ${name}: ${features[name]}`;
    for (const text of [asked, 'responded']) {
      process.stdout.write(`${new Date().toISOString()} ${text}\n`); // planted: blocking-write
    }
  }
  return features;
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
