import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressReport, type ReportStream } from './progress-report.ts';

/** Reports on work of `steps` steps of `stepMs` each, and gives what was written. */
function shown(steps: number, stepMs: number, stream: Omit<ReportStream, 'write'>): readonly string[] {
  const written: string[] = [];
  let now = 0;
  const report = new ProgressReport({ ...stream, write: (text: string) => written.push(text) }, () => now);
  const progress = report.begin('checking the journal', 'records');
  for (let step = 1; step <= steps; step += 1) {
    now += stepMs;
    progress(step, steps);
  }
  return written;
}

test('work that is done within a second shows nothing', () => {
  assert.deepEqual(shown(9, 100, { isTTY: true }), []);
  assert.deepEqual(shown(9, 100, {}), []);
});

test('longer work is a bar on a terminal, drawn ten times a second and removed at the end', () => {
  const written = shown(200, 10, { isTTY: true, columns: 80 });
  assert.equal(written.length, 11);
  assert.equal(written[0], '\r\x1b[Kchecking the journal [############............] 50 %, 1 s left');
  assert.equal(written.at(-1), '\r\x1b[K');
  const [narrow = ''] = shown(200, 10, { isTTY: true, columns: 30 });
  assert.equal(narrow.length - '\r\x1b[K'.length, 29, 'it never wraps');
});

test('elsewhere it is a line every five seconds', () => {
  assert.deepEqual(shown(12, 1_000, {}), [
    'sauda: checking the journal: 1 of 12 records, 8 %, 11 s left\n',
    'sauda: checking the journal: 6 of 12 records, 50 %, 6 s left\n',
    'sauda: checking the journal: 11 of 12 records, 91 %, 1 s left\n',
  ]);
});

test('a second part goes on where the first ended, and the bar of work that failed can be taken away', () => {
  const written: string[] = [];
  let now = 0;
  const report = new ProgressReport({ isTTY: true, write: (text: string) => written.push(text) }, () => now);
  const copying = report.begin('copying', 'bytes');
  now = 2_000;
  copying(5, 10);
  now = 2_100;
  report.begin('checking the copy', 'records')(0, 0);
  report.begin('checking the copy', 'records')(0, 7);
  assert.deepEqual(written, [
    '\r\x1b[Kcopying [############............] 50 %, 2 s left',
    '\r\x1b[K',
    '\r\x1b[Kchecking the copy [........................] 0 %',
  ]);
  report.end();
  report.end();
  assert.deepEqual(written.slice(3), ['\r\x1b[K']);
});
