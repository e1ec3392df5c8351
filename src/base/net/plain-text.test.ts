import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainTextWarning } from './plain-text.ts';

test('credentials in the clear to another machine are warned of, and no others', () => {
  const silent = ['https://sauda.example', 'http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'];
  for (const url of silent) assert.equal(plainTextWarning(new URL(url)), undefined, url);
  for (const url of [
    'http://sauda.example',
    'http://192.0.2.7:8080',
    'http://localhost.example',
    'http://[2001:db8::1]',
  ]) {
    assert.match(plainTextWarning(new URL(url)) ?? '', /is plain HTTP: everybody on the way can read/, url);
  }
});
