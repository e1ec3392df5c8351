import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PAGE_HEADERS } from './page-policy.ts';

test('the one inline style that the policy lets in is that of the chart library', () => {
  const library = fileURLToPath(
    new URL('dist/lightweight-charts.production.mjs', import.meta.resolve('lightweight-charts/package.json')),
  );
  const [, style = ''] = /\.innerText="(a#tv-attr-logo[^"]*)"/.exec(readFileSync(library, 'utf8')) ?? [];
  assert.notEqual(style, '');
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = PAGE_HEADERS[PAGE_HEADERS.indexOf('content-security-policy') + 1] ?? '';
  assert.ok(policy.split('; ').includes(`style-src 'self' 'sha256-${hash}'`), `${policy} lacks ${hash}`);
});

test('the policy lets nothing inline run, and nothing come from or go to another host', () => {
  const policy = PAGE_HEADERS[PAGE_HEADERS.indexOf('content-security-policy') + 1] ?? '';
  assert.doesNotMatch(policy, /unsafe|\*|https?:|wss?:/);
  assert.ok(policy.split('; ').includes("script-src 'self'"));
});
