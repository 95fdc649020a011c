// Articles, written in Markdown.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { marked } from 'marked';

const paragraphs = Array.from(
  { length: 24 },
  (_, index) =>
    `## Part ${index}\n\nSome *words* and a [link](https://example.com/${index}), and \`code\`.\n\n- one\n- two\n`,
);
const articles = new Map([['winds', paragraphs.join('\n')]]);

const app = new Hono();
app.get('/', (context) => context.text('ok'));
app.get('/articles/:name', (context) => {
  const article = articles.get(context.req.param('name'));
  if (article === undefined) return context.notFound();
  const html = marked.parse(article); // planted: package-hot
  return context.json({ length: html.length });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
