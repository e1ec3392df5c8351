import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPILED = ['--import', './test/compiled-code.mjs'];
/** Everything that reads, writes or reckons times. */
const FILES = [
  'src/base/*.test.ts',
  'src/gateway/*.test.ts',
  'src/reference/calendar/*.test.ts',
  'src/market/synthetic/synthetic-market.test.ts',
  'test/contract/market/time-price-series.test.ts',
  'test/contract/orders/single-order-history.test.ts',
  'test/contract/orders/trade-book.test.ts',
];

for (const zone of ['America/New_York', 'Pacific/Kiritimati']) {
  test(`times are IST when the machine's own zone is ${zone}`, () => {
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    // One process for all of the files: they share no global state, and each process loads most of the source.
    const run = spawnSync(process.execPath, [...COMPILED, '--test', '--test-isolation=none', ...FILES], {
      cwd: ROOT,
      env: { ...env, TZ: zone },
    });
    assert.equal(run.status, 0, run.stdout.toString().slice(-4_000));
    assert.match(run.stdout.toString(), /pass [1-9]/);
  });
}
