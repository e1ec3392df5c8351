/**
 * The frame of the pages under `/docs` that are plain HTML: error pages, guides and their lists. They hold no script
 * and load nothing, and their policy says so to the browser.
 */

import type { Document } from '../http/downloads.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const STYLE = `body{font:16px/1.55 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
nav{margin-bottom:2rem}nav a{margin-right:1rem}a{color:#0a58a8}
h1,h2,h3{line-height:1.25}code{font:0.9em ui-monospace,monospace;background:#f2f2f2;padding:0.1em 0.3em}
pre{background:#f2f2f2;padding:0.8rem;overflow-x:auto}pre code{padding:0;background:none}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid #ccc;padding:0.3rem 0.6rem;text-align:left;vertical-align:top}
@media (prefers-color-scheme:dark){body{color:#e7e7e7;background:#141414}a{color:#7db8f0}code,pre{background:#262626}th,td{border-color:#444}}`;

/** The policy of a page without scripts, images and requests. Source: CSP Level 3. */
const STILL_PAGE =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML_TYPE = 'text/html; charset=utf-8';

/** A whole page as it is sent. `policy`: its Content Security Policy. */
export function html(content: string, policy = STILL_PAGE): Document {
  const headers = ['content-security-policy', policy, 'referrer-policy', 'no-referrer'];
  return { type: HTML_TYPE, bytes: Buffer.from(content), headers };
}

/** Text as it stands in HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** A whole page. `body` is HTML; the title is text. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} - Sauda</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<nav><a href="/docs">Reference</a><a href="/docs/guides">Guides</a><a href="/docs/errors">Errors</a></nav>
<main>
${body}
</main>
</body>
</html>
`;
}
