import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asciiUpper, PRINTABLE, withoutControls } from './printable.ts';

test('control characters are written as escapes, and other text stays as it is', () => {
  assert.equal(
    withoutControls('a\nb\r\t\u001b[2J\u007f\u009b\u2028'),
    'a\\u000ab\\u000d\\u0009\\u001b[2J\\u007f\\u009b\\u2028',
  );
  assert.equal(withoutControls('Łódź, ₹ 5 "x" \\ 😀'), 'Łódź, ₹ 5 "x" \\ 😀');
});

test('printable text has no control character and no half of a pair', () => {
  const printable = new RegExp(PRINTABLE);
  for (const text of ['', 'Łódź 😀']) assert.ok(printable.test(text), text);
  for (const text of ['\n', 'a\u001b', '\u007f', '\ud83d']) assert.ok(!printable.test(text), JSON.stringify(text));
});

test('capitals are made of the letters a to z alone', () => {
  assert.equal(asciiUpper('sbin-eq'), 'SBIN-EQ');
  assert.equal(asciiUpper('ſbin-eq ıtc ß é'), 'ſBIN-EQ ıTC ß é');
});
