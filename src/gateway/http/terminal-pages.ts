/**
 * The terminal by path: `/` and the files that it loads, as `src/page` read them. A service without a built page says
 * at `/` how to get one; the rest of its interface is not touched by that.
 */

import { pageAnswer } from '../../page/page-answer.ts';
import { OPERATORS_PAGE, type PageFiles } from '../../page/page-files.ts';
import { html, htmlPage } from '../reference/html-page.ts';
import type { Document, Page } from './downloads.ts';

const KEPT_FOR_A_DAY = 'public, max-age=86400';
const HOME_PATHS = ['/', '/index.html'];

/** A rising and a falling candle: the icon that browsers ask for at a fixed address. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2f6fed" d="M4 2h1v2h2v7H5v3H4v-3H2V4h2z"/><path fill="#d64545" d="M11 1h1v4h2v6h-2v4h-1v-4H9V5h2z"/></svg>
`;

/** The terminal's files by path; `being built` while a start makes them. */
export function terminalPages(built: PageFiles | 'being built' | undefined): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>([['/favicon.ico', () => icon]]);
  const home = built === 'being built' ? beingBuilt : notBuilt;
  for (const path of HOME_PATHS) pages.set(path, () => home);
  if (typeof built !== 'object') return pages;
  for (const [path, file] of built) {
    if (path === OPERATORS_PAGE) continue;
    const page: Page = (accepts) => pageAnswer(file, accepts);
    for (const each of path === '/index.html' ? HOME_PATHS : [path]) pages.set(each, page);
  }
  return pages;
}

const icon: Document = { type: 'image/svg+xml', bytes: Buffer.from(ICON), cache: KEPT_FOR_A_DAY };

/** Browsers look again after these seconds. */
const LOOK_AGAIN = ['refresh', '1'];

const stillBeingBuilt = html(
  htmlPage(
    'Terminal',
    `<h1>The terminal is being built</h1>
<p>The service runs and takes orders. A first start builds its page, which takes some seconds; it will be here.</p>`,
  ),
);
const beingBuilt: Document = { ...stillBeingBuilt, headers: [...(stillBeingBuilt.headers ?? []), ...LOOK_AGAIN] };

const notBuilt = html(
  htmlPage(
    'Terminal',
    `<h1>The terminal is not built</h1>
<p>The service runs and takes orders; only its page is missing. Build it in the folder of the project, then start the
service again:</p>
<pre><code>npm ci
npm run build
npm start</code></pre>
<p>The start says in one line why the page could not be built.</p>`,
  ),
);
