import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { environment, PROJECT } from '../../process/start/started-service.ts';

/* The programs of `examples/`, as their pages say to run them, with fewer days and more speed. */

const LONGEST_MS = 240_000;

async function output(...words: readonly string[]): Promise<string> {
  const options = { cwd: PROJECT, env: environment(), timeout: LONGEST_MS };
  return (await promisify(execFile)(process.execPath, words, options)).stdout;
}

test('the moving averages trade a day of NIFTY candles and end flat', async () => {
  const printed = await output(join('examples', 'moving-average', 'moving-average.ts'), '1');
  assert.match(printed, /^2026-10-28 +\d{5}\.\d\d +flat +\d +-?\d+\.\d\d +\d+\.\d\d$/m);
  assert.match(printed, /^1 trading days, \d orders: -?\d+\.\d\d rupees after charges/m);
});

test('the straddle is sold, stopped or bought back on its expiry day', async () => {
  const printed = await output(join('examples', 'expiry-straddle', 'expiry-straddle.ts'), '3600');
  assert.equal(Array.from(printed.matchAll(/^sold 65 NIFTY23NOV26[CP]\d+ at [\d.]+, stop at [\d.]+$/gm)).length, 2);
  assert.equal(Array.from(printed.matchAll(/: 0 units left, realised -?[\d.]+ rupees$/gm)).length, 2);
});

test('the test suite of the client library passes', async () => {
  const printed = await output('--test', join('examples', 'client-test-suite', 'broker.suite.ts'));
  assert.match(printed, /pass 9\b/);
});

test('a branch trades by its parameter, is compared with its parent, and is whole', async () => {
  const printed = await output(join('examples', 'branches', 'branches.ts'), '1');
  assert.match(printed, /^\S*below-02 +SD1001 /m);
  assert.match(printed, /every branch is whole\n$/);
});
