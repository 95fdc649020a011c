// @ts-check
// Responds with 200 to requests for EXPECTED_HOST that are authorized by EXPECTED_AUTHORIZATION, and with 421 or 401 to all others.
// Listens at ADDRESS.
import { createServer } from 'node:http';

const { ADDRESS, EXPECTED_AUTHORIZATION, EXPECTED_HOST, PORT } = process.env;

createServer((request, response) => {
  const { authorization, host } = request.headers;
  if ((EXPECTED_HOST ?? host) !== host) {
    response.statusCode = 421;
  } else if (EXPECTED_AUTHORIZATION !== authorization) {
    response.statusCode = 401;
  }
  response.end(`this is not ${host}, or you are not ${authorization}`);
}).listen(Number(PORT), ADDRESS ?? '127.0.0.1');
