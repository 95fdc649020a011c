// Express with middleware that costs, and one that keeps requests out.
const express = require('express');

const app = express();
app.use(function spins(_request, _response, next) {
  const until = performance.now() + 2;
  while (performance.now() < until);
  next();
});
app.use(function requireLogin(_request, _response, next) {
  next();
});
app.get('/', (_request, response) => response.send('done'));
app.listen(process.env.PORT);
