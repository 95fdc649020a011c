// @ts-check
import { app } from './app.js';

app.listen(Number(process.env.PORT), '127.0.0.1');
