import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileOf, PARTS } from './campaign-parts.ts';

for (const part of PARTS) {
  test(`the campaign names a test and its faults as their file does: ${part.faults[0]}`, () => {
    const source = readFileSync(fileOf(part), 'utf8');
    const names = [...source.matchAll(/(?:\bit|longRun)\('([^']+)'/g)].map(([, name = '']) => name);
    assert.equal(names.filter((name) => new RegExp(part.pattern).test(name)).length, 1, names.join('\n'));
    for (const fault of part.faults) assert.ok(source.includes(`'${fault}'`), fault);
  });
}
