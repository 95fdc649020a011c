// Listens, closes and has nothing more to do.
const server = require('node:http').createServer();
server.listen(Number(process.env.PORT), '127.0.0.1', () => server.close());
process.on('exit', () => process.stdout.write('leaving'));
