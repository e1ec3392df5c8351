import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrailLine } from '../trail-line.ts';
import { lineText } from './trail-text.ts';

test('a line for a reader is one line, even when it holds line feeds and control characters', () => {
  const line = { n: 7, utc: 0, kind: 'act', by: 'A\n8 forged', why: '\u001b[2J\u009b', what: { name: 'B\u007f' } };
  assert.equal(
    lineText(line as unknown as TrailLine),
    '7 1970-01-01T00:00:00.000Z act by=A\\u000a8 forged why=\\u001b[2J\\u009b what={"name":"B\\u007f"}',
  );
});
