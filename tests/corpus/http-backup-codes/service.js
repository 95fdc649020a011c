// Backup codes for accounts, hashed before they are stored. Nothing blocks the loop; the threadpool has four threads.
import { scrypt } from 'node:crypto';
import { createServer } from 'node:http';
import { promisify } from 'node:util';

const hash = promisify(scrypt);
const CODES = 12;
let number = 0;

async function makeCodes(account) {
  const codes = Array.from({ length: CODES }, (_, index) =>
    String((account * 7919 + index * 104_729) % 1_000_000),
  );
  const hashes = await Promise.all(codes.map((code) => hash(code, `account ${account}`, 16, { N: 512 }))); // planted: threadpool-saturation
  return { codes, stored: hashes.length };
}

const server = createServer(async (request, response) => {
  if (request.url === '/') return response.end('ok');
  number += 1;
  const made = await makeCodes(number);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(made));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
