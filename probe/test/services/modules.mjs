// An ES module that imports by name what the probe wraps.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import Handlebars from 'handlebars';

const server = createServer(async (_, response) => {
  readFileSync('/dev/null'); // line: fs.readFileSync
  createHash('sha256').update('1234').digest(); // line: Hash.update
  await stat('/dev/null'); // line: fs.promises.stat
  Handlebars.compile('{{text}}'); // line: handlebars.compile
  response.end('fine');
});
server.listen(Number(process.env.PORT), '127.0.0.1');
