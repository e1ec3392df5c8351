import type { Failure } from '../fields/envelope.ts';
import { ERROR_HELP, ERROR_NAMES, failuresNamed } from './error-help.ts';
import { escapeHtml, htmlPage } from './html-page.ts';

type ErrorName = (typeof ERROR_NAMES)[number];

/** The list of all errors, as HTML. */
export function errorList(): string {
  const rows = ERROR_NAMES.map((name) => {
    const { status, again } = ERROR_HELP[name];
    return `<tr><td><a href="/docs/errors/${name}">${name}</a></td><td>${status}</td><td>${again}</td></tr>`;
  });
  const head = '<tr><th>name</th><th>HTTP status</th><th>send it again</th></tr>';
  return htmlPage('Errors', `<h1>Errors</h1>\n<p>${escapeHtml(SHAPE)}</p>\n<table>${head}${rows.join('')}</table>`);
}

const SHAPE =
  'Each failure has the body {"status":"failed","code":"<HTTP status>","name":"<name>","error":{"field":"...","message":"..."}}. ' +
  'Programs decide by the name; the message is for people and its words may change.';

/** The page of an error, as HTML: when it comes, and what to do. */
export function errorPage(name: ErrorName): string {
  const { status, when, whatToDo, again } = ERROR_HELP[name];
  const failures = failuresNamed(name);
  const parts = [
    `<h1>${name}</h1>`,
    `<p>HTTP status ${status}. Send the same request again: ${again}.</p>`,
    `<h2>When it comes</h2>\n<p>${escapeHtml(when)}</p>`,
    `<h2>What to do</h2>\n<p>${escapeHtml(whatToDo)}</p>`,
  ];
  if (failures.length > 0) parts.push(`<h2>Its words</h2>\n${wordsTable(failures)}`);
  return htmlPage(name, parts.join('\n'));
}

function wordsTable(failures: readonly Failure[]): string {
  const rows = failures.map(
    ({ field, message }) => `<tr><td><code>${escapeHtml(field)}</code></td><td>${escapeHtml(message)}</td></tr>`,
  );
  return `<table><tr><th>error.field</th><th>error.message</th></tr>${rows.join('')}</table>`;
}
