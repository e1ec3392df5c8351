import { readFile } from 'node:fs/promises';
import { escapeHtml, htmlPage } from './html-page.ts';
import { renderMarkdown } from './markdown.ts';
import { readable } from './unreadable.ts';

const FOLDER = new URL('../../../docs/guides/', import.meta.url);

/** The guides in reading order: the name of the file and of the page, and the title. */
export const GUIDES = [
  { name: 'terminal', title: 'The terminal' },
  { name: 'first-strategy', title: 'A first strategy in TypeScript' },
  { name: 'python', title: "Python with the family's client" },
  { name: 'command-line', title: 'The command line of traders' },
  { name: 'mcp', title: 'Agents' },
  { name: 'backtest', title: 'A backtest loop' },
  { name: 'going-live', title: 'Going live: what changes' },
] as const;
export type Guide = (typeof GUIDES)[number];

/** The text of a guide, in Markdown. Rejects with `Unreadable` when there is none. */
export function guideText({ name }: Guide): Promise<string> {
  return readable(readFile(new URL(`${name}.md`, FOLDER), 'utf8'));
}

/** The page of a guide, as HTML. Rejects with `Unreadable` when there is none. */
export async function guidePage(guide: Guide): Promise<string> {
  const text = await guideText(guide);
  // A link between files of the folder leads to the page of that file; no page shows the files outside of it.
  const linked = text
    .replaceAll(/\]\(([\w-]+)\.md\)/g, '](/docs/guides/$1)')
    .replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1');
  return htmlPage(guide.title, renderMarkdown(linked));
}

/** The list of the guides, as HTML. */
export function guideList(): string {
  const items = GUIDES.map(
    ({ name, title }) =>
      `<li><a href="/docs/guides/${name}">${escapeHtml(title)}</a> (<a href="/docs/guides/${name}.md">text</a>)</li>`,
  );
  return htmlPage('Guides', `<h1>Guides</h1>\n<ul>${items.join('')}</ul>`);
}
