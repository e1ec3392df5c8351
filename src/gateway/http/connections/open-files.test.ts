import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsWithin } from './open-files.ts';

const limits = (files: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \n` +
  `Max processes             96000                96000                processes \n` +
  `Max open files            ${files.padEnd(20)} ${files.padEnd(20)} files     \n`;

test('connections leave the files that the service needs itself', () => {
  assert.equal(connectionsWithin(10_000, limits('1024')), 704);
  assert.equal(connectionsWithin(10_000, limits('1048576')), 10_000);
  assert.equal(connectionsWithin(100, limits('1024')), 100);
});

test('a few connections are taken however few files there may be', () => {
  assert.equal(connectionsWithin(10_000, limits('64')), 16);
});

test('where no limit is known the connections are those of the settings', () => {
  assert.equal(connectionsWithin(10_000, undefined), 10_000);
  assert.equal(connectionsWithin(10_000, limits('unlimited')), 10_000);
});
