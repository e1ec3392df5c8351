import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { isLoggingIn, oneLogin } from './one-login.ts';

test('one login is on its way at a time, by whichever way', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = oneLogin(() => promise);
  equal(isLoggingIn.value, true);
  let pressed = 0;
  const second = async () => {
    pressed += 1;
    return '';
  };
  equal(await oneLogin(second), undefined);
  resolve('in');
  deepEqual([await first, isLoggingIn.value, pressed], ['in', false, 0]);
  await rejects(oneLogin(() => Promise.reject(new Error('odd'))));
  equal(isLoggingIn.value, false);
});
