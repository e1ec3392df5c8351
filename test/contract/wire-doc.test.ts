import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const TESTS_OF_THE_WIRE = globSync('test/{contract,kit/wire}/**/*.ts', { cwd: ROOT });

function rowsOfWire(): { name: string; file: string; proof: string }[] {
  const text = readFileSync(join(ROOT, 'docs/rules/wire.md'), 'utf8');
  const rows = text.matchAll(/^\| ([WR]\d+) \| .+ \| `([^`]+)` \| (.+) \|$/gm);
  return Array.from(rows, ([, name = '', file = '', proof = '']) => ({ name, file, proof }));
}

test('docs/rules/wire.md has every ruling and every client rule, once', () => {
  const wanted = [
    ...Array.from({ length: 29 }, (_, i) => `W${i + 1}`),
    ...Array.from({ length: 17 }, (_, i) => `R${i + 1}`),
  ];
  assert.deepEqual(
    rowsOfWire().map(({ name }) => name),
    wanted,
  );
});

test('the proof that docs/rules/wire.md names for each is there', () => {
  for (const { name, file, proof } of rowsOfWire()) {
    const paths = /^(src|test)\//.test(file) ? [file] : TESTS_OF_THE_WIRE.filter((path) => basename(path) === file);
    assert.equal(paths.length, 1, `${name}: ${file} is one file`);
    const [path = ''] = paths;
    assert.ok(readFileSync(join(ROOT, path), 'utf8').includes(proof), `${name}: "${proof}" in ${path}`);
  }
});
