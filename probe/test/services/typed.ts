// TypeScript, whose lines differ from those of what runs when it is compiled.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

interface Reply {
  text: string;
  length: number;
}

type Maker = (text: string) => Reply;

const make: Maker = (text) => ({ text, length: text.length });

function busy(): number {
  let sum = 0;
  for (let index = 0; index < 3_000_000; index += 1) sum += Math.sqrt(index); // line: busy
  return sum;
}

function fill(): number {
  const all: number[][] = [];
  for (let index = 0; index < 2_000; index += 1) all.push([index, index, index]); // line: fill
  return all.length;
}

const server = createServer((_: IncomingMessage, response: ServerResponse) => {
  const reply: Reply = make('fine');
  const sum: number = busy() + fill();
  response.end(JSON.stringify({ ...reply, sum })); // line: JSON.stringify
});
server.listen(Number(process.env.PORT), '127.0.0.1');
