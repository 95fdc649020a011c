// Vouchers that customers paste in a list; those that are unknown are told to them one by one.
import Router from '@koa/router';
import Koa from 'koa';

class UnknownVoucher extends Error {
  constructor(code) {
    super(`there is no voucher ${code}`);
    this.code = code;
  }
}

const vouchers = new Map(Array.from({ length: 500 }, (_, at) => [`GULL${at}`, at % 50]));

function percentOf(code) {
  const percent = vouchers.get(code);
  if (percent === undefined) throw new UnknownVoucher(code); // planted: error-stack
  return percent;
}

function look(code) {
  try {
    return { code, percent: percentOf(code) };
  } catch ({ message }) {
    return { code, message };
  }
}

const router = new Router();
router.get('/', (context) => {
  context.body = 'ok';
});
router.get('/vouchers/:codes', (context) => {
  const codes = Array.from({ length: 40 }, (_, at) => `${context.params.codes}${at % 7}`);
  context.body = codes.map(look);
});

new Koa().use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
