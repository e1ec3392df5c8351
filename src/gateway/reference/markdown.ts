/**
 * Renders the guides: headings, paragraphs, lists, tables, blocks of code, and inside them code, bold and emphasised
 * text and links. All text is escaped first, so a guide brings no HTML of its own.
 */

import { escapeHtml } from './html-page.ts';

/** Ends a cell of a table, but where it is escaped. */
const BAR = /(?<!\\)\|/;
const FENCE = '```';
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;
/** Links lead to this service, to a heading, or to the web. */
const SAFE_TARGET = /^(?:https?:\/\/|[/#.\w])(?!\w*script:)/i;

/** The HTML of a guide. The lines of a block belong together; a blank line ends it. */
export function renderMarkdown(text: string): string {
  const html: string[] = [];
  const lines = text.split('\n');
  while (lines.length > 0) {
    const block = nextBlock(lines);
    if (block.length > 0) html.push(renderBlock(block));
  }
  return html.join('\n');
}

/** Takes the lines of the next block; a block of code ends at its fence alone. */
function nextBlock(lines: string[]): string[] {
  const first = lines.shift() ?? '';
  if (first === '') return [];
  const block = [first];
  const isCode = first.startsWith(FENCE);
  while (lines.length > 0) {
    const line = lines.shift() ?? '';
    if (!isCode && line === '') break;
    block.push(line);
    if (isCode && line === FENCE) break;
  }
  return block;
}

function renderBlock(block: readonly string[]): string {
  const [first = ''] = block;
  if (first.startsWith(FENCE)) return `<pre><code>${escapeHtml(block.slice(1, -1).join('\n'))}</code></pre>`;
  const heading = /^(#{1,3}) (.+)$/.exec(first);
  if (heading !== null) return renderHeading(heading[1]?.length ?? 1, heading[2] ?? '');
  if (first.startsWith('|')) return renderTable(block);
  if (first.startsWith('- ')) return renderList('ul', block, '- ');
  if (/^\d+\. /.test(first)) return renderList('ol', block, /\d+\. /.exec(first)?.[0] ?? '');
  return `<p>${renderInline(block.join(' '))}</p>`;
}

function renderHeading(level: number, text: string): string {
  const anchor = text
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
  return `<h${level} id="${anchor}">${renderInline(text)}</h${level}>`;
}

/** A line that does not begin an item goes on with the one before it. */
function renderList(tag: 'ul' | 'ol', block: readonly string[], mark: string): string {
  const begins = tag === 'ul' ? /^- / : /^\d+\. /;
  const items: string[] = [];
  for (const line of block) {
    if (begins.test(line)) items.push(line.replace(begins, ''));
    else items.push(`${items.pop() ?? ''} ${line.slice(mark.length).trim()}`);
  }
  return `<${tag}>${items.map((item) => `<li>${renderInline(item)}</li>`).join('')}</${tag}>`;
}

function renderTable([head = '', , ...rows]: readonly string[]): string {
  const cells = (row: string, tag: string): string =>
    row
      .slice(1, -1)
      .split(BAR)
      .map((cell) => `<${tag}>${renderInline(cell.trim().replaceAll('\\|', '|'))}</${tag}>`)
      .join('');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<table><tr>${cells(head, 'th')}</tr>${body}</table>`;
}

/** Code keeps its characters; the text between is read for bold and emphasised text and links. */
function renderInline(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : renderWords(escapeHtml(part))))
    .join('');
}

function renderWords(escaped: string): string {
  return escaped
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])/g, '<em>$1</em>')
    .replaceAll(LINK, (whole, label: string, target: string) =>
      SAFE_TARGET.test(target) ? `<a href="${target}">${label}</a>` : whole,
    );
}
