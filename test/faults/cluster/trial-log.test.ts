import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addLines, commitsOf, readLines, summaryOf, trialsOf } from './trial-log.ts';

const FAULT = 'C03 rolling restart';

test('a log of trials is read back, without a last line that was cut off, and goes on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-trials-'));
  const file = join(folder, 'log');
  try {
    assert.deepEqual(readLines(file), []);
    const first = { fault: FAULT, seed: 5, acknowledged: 100, gap: 90, pauses: [80, 251, 250] };
    addLines(file, [{ commit: 'abc1234' }, first, { failed: 'C01', seed: 6 }]);
    addLines(file, [{ ...first, fault: 'C01 leader killed' }]);
    appendFileSync(file, '{"fault":"C0');
    const lines = readLines(file);
    assert.equal(lines.length, 4);
    assert.deepEqual(commitsOf(lines), ['abc1234']);
    assert.deepEqual(trialsOf(lines, FAULT), [first]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a summary has the spread of gaps and pauses, and how many trials are done', () => {
  const line = { fault: FAULT, seed: 5, acknowledged: 100, gap: 90, pauses: [80, 251, 250] };
  const other = { fault: FAULT, seed: 6, acknowledged: 50, gap: 300, pauses: [40] };
  assert.equal(
    summaryOf([line, other], FAULT, 100),
    `${FAULT}: 2 of 100 trials, 150 acknowledged, 0 lost, 0 twice, 0 foreign; gaps in ms: p50 300, p99 300, ` +
      'longest 300; pauses of 4 handovers: p50 250, p99 251, longest 251, 1 above 250',
  );
  assert.equal(summaryOf([], FAULT, 100), `${FAULT}: none of 100 trials`);
});
