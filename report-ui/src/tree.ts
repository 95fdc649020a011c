/**
 * Elements as plain values. A page is a pure function from findings to such a tree; a browser mounts it, a test
 * prints it. Text is always text: nothing here parses markup.
 */

export type Child = Tree | string | number | null | false | undefined;

export interface Tree {
  tag: string;
  attributes: Record<string, string>;
  children: (Tree | string)[];
}

type Attribute = string | number | boolean | null | undefined;

/** An element. An attribute that is `true` stands without a value; absent ones are left out. */
export function h(
  tag: string,
  attributes: Record<string, Attribute> = {},
  ...children: (Child | Child[])[]
): Tree {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) kept[name] = '';
    else if (value !== false && value != null) kept[name] = plain(String(value));
  }
  const content = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  return {
    tag,
    attributes: kept,
    children: content.map((child) => (typeof child === 'object' ? child : plain(String(child)))),
  };
}

/** Without the control characters and direction marks with which a text could disguise its surroundings. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

const svgTags = new Set(
  'svg g path line rect circle polygon polyline text tspan title desc defs pattern clipPath'.split(' '),
);

/** The tree as DOM nodes. */
export function mount(tree: Tree, document: Document): globalThis.Element {
  const node = svgTags.has(tree.tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tree.tag)
    : document.createElement(tree.tag);
  for (const [name, value] of Object.entries(tree.attributes)) node.setAttribute(name, value);
  for (const child of tree.children) node.append(typeof child === 'string' ? child : mount(child, document));
  return node;
}

/** The tree as indented markup, one element a line. */
export function print(tree: Tree, indent = ''): string {
  const attributes = Object.entries(tree.attributes)
    .map(([name, value]) => ` ${name}="${markup(value)}"`)
    .join('');
  const [first] = tree.children;
  if (first === undefined) return `${indent}<${tree.tag}${attributes}/>\n`;
  if (tree.children.every((child) => typeof child === 'string')) {
    return `${indent}<${tree.tag}${attributes}>${markup(tree.children.join(''))}</${tree.tag}>\n`;
  }
  const content = tree.children
    .map((child) =>
      typeof child === 'string' ? `${indent}  ${markup(child)}\n` : print(child, `${indent}  `),
    )
    .join('');
  return `${indent}<${tree.tag}${attributes}>\n${content}${indent}</${tree.tag}>\n`;
}

function markup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
