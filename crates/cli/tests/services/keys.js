// Gives out keys, of which one has to come with every other request, and takes them back. Prints each of them and keeps the last in the file
// `key`; `given-back` says that it was taken back. With FAULT it gives out none.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { FAULT, PORT } = process.env;
const keys = new Set();

createServer((req, res) => {
  if (req.method === 'POST') {
    if (FAULT) return res.writeHead(403).end();
    const key = randomBytes(12).toString('hex');
    keys.add(key);
    writeFileSync('key', key);
    console.log(`gave out ${key}`);
    return res.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ key }));
  }
  const key = req.headers['x-key'];
  if (!keys.has(key)) return res.writeHead(401).end(`not ${key}`);
  if (req.method === 'DELETE') {
    keys.delete(key);
    writeFileSync('given-back', '');
  }
  res.end('ok');
}).listen(PORT, '127.0.0.1', () => console.log('listening'));
