// A receipt as a page: the frame is a template, what the shop says below it is Markdown.
import express from 'express';
import Handlebars from 'handlebars';
import { marked } from 'marked';

const frame = `<!doctype html><title>{{shop}}</title><table>
{{#each lines}}<tr><td>{{name}}</td><td>{{count}}</td><td>{{#if reduced}}<s>{{cents}}</s>{{/if}}</td></tr>{{/each}}
</table><p>{{total}}</p>{{{notes}}}`;
const notes = Array.from(
  { length: 60 },
  (_, index) =>
    `### Note ${index}\n\nGoods may be *returned* within **${index + 7}** days, see [terms](/t/${index}).\n`,
).join('\n');
const lines = [
  { name: 'Rope', count: 2, cents: 1999, reduced: true },
  { name: 'Lantern', count: 1, cents: 4200, reduced: false },
];

const app = express();
app.get('/', (_, response) => response.send('ok'));
app.get('/receipts/:number', ({ params: { number } }, response) => {
  const page = Handlebars.compile(frame);
  const html = page({ shop: `Receipt ${number}`, lines, total: 8198, notes: terms() }); // planted: module-or-template-per-request
  response.type('html').send(html);
});

function terms() {
  return marked.parse(notes); // planted: package-hot
}

app.listen(Number(process.env.PORT), '127.0.0.1');
