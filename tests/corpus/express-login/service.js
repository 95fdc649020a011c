// Logins with hashed passwords.
import bcrypt from 'bcryptjs';
import express from 'express';

const users = new Map([['ann', bcrypt.hashSync('correct horse', 5)]]);

const app = express();
app.use(express.json());
app.get('/', (_, response) => response.send('ok'));
app.post('/login', ({ body }, response) => {
  const hash = users.get(body.user);
  if (!hash || !bcrypt.compareSync(body.password, hash)) return response.sendStatus(401); // planted: package-hot
  response.json({ user: body.user, session: 'fixed' });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
