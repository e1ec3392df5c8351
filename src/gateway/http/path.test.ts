import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from './path.ts';

test('a path is the text before the query, decoded', () => {
  for (const target of ['/V1/limit', '/V1/limit?x=1', '/V1/limit#x', '/V1/l%69mit?%zz', '/V1/%6cimit#?']) {
    assert.equal(pathOf(target), '/V1/limit', target);
  }
  for (const target of ['?x=1', '#x', 'http://localhost?x']) assert.equal(pathOf(target), '', target);
  assert.equal(pathOf('/V1%2Flimit'), '/V1%2Flimit', 'an encoded slash is none');
});

test('a target with scheme and host means the path behind them', () => {
  for (const target of ['http://localhost:8080/V1/limit', 'HTTPS://x/V1/limit?y', 'http:///V1/limit']) {
    assert.equal(pathOf(target), '/V1/limit', target);
  }
  assert.equal(pathOf('http://localhost'), '');
});

test('a target with an invalid encoding has no path', () => {
  for (const target of ['/%zz', '/%c3%28', '/%ff?x']) assert.equal(pathOf(target), undefined, target);
});
