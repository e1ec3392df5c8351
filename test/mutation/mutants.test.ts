import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeclared } from './equivalents/equivalent.ts';
import { EQUIVALENTS } from './equivalents.ts';
import { mutantsOf, mutated, strippedOf } from './mutants.ts';

/** Every mutant as `kind: the changed source`. */
function changesOf(source: string): string[] {
  const code = strippedOf(source);
  return mutantsOf(source).map((mutant) => `${mutant.kind}: ${mutated(code, mutant).trim()}`);
}

test('a comparison moves its bound and is turned round', () => {
  assert.deepEqual(changesOf('const a = b < c;'), ['comparison: const a = b <= c;', 'comparison: const a = b >= c;']);
  assert.deepEqual(changesOf('const a = b === c;'), ['comparison: const a = b !== c;']);
});

test('a condition is negated once, however it is written', () => {
  assert.deepEqual(changesOf('if (a > b) {}'), ['branch: if (!((a > b))) {}', 'comparison: if (a >= b) {}']);
  assert.deepEqual(changesOf('if (a === b) {}'), ['branch: if (!((a === b))) {}']);
});

test('calculations, links and numbers become others', () => {
  assert.deepEqual(changesOf('const a = b + 1;'), ['arithmetic: const a = b - 1;', 'constant: const a = b + 0;']);
  assert.deepEqual(changesOf('const a = b && !c;'), ['logical: const a = b || !c;', 'logical: const a = b && (c);']);
  assert.deepEqual(changesOf('const a = b ?? c;'), ['logical: const a = (c);']);
  assert.deepEqual(changesOf('const a = 0n;'), ['constant: const a = 1n;']);
});

test('joined texts stay joined', () => {
  assert.deepEqual(changesOf("const a = 'b' + c;"), []);
});

test('a statement goes; declarations and imports stay', () => {
  assert.deepEqual(changesOf("import { a } from './a.ts';\na(b);"), [
    "removed statement: import { a } from './a.ts';\n;",
  ]);
});

test('the value that a function returns is emptied where its type lets it', () => {
  assert.deepEqual(changesOf('function f(a: A): A | undefined { return a; }'), [
    'return value: function f(a   )                { return undefined; }',
  ]);
  assert.deepEqual(changesOf('const f = (a: A): A[] => g(a);'), ['return value: const f = (a   )      => [];']);
  assert.deepEqual(changesOf('function f(a: A): boolean { return g(a); }'), [
    'return value: function f(a   )          { return !((g(a))); }',
  ]);
  assert.deepEqual(changesOf('function f(a: A): A { return a; }'), []);
});

test('types, assertions and our own failures have no mutants', () => {
  assert.deepEqual(changesOf('type A = 0 | 1; interface B { readonly c: 2 }'), []);
  assert.deepEqual(changesOf("assert(a === 0, 'a is nothing');"), []);
  assert.deepEqual(changesOf("if (a) throw new InvariantError('no ' + 1);"), [
    "branch: if (!((a))) throw new InvariantError('no ' + 1);",
  ]);
});

test('a mutant gives its line', () => {
  assert.deepEqual(
    mutantsOf('type A = 1;\n\nconst a = 0;').map(({ line }) => line),
    [3],
  );
});

test('a mutant is declared by the part of its line that it begins in', () => {
  const source = 'const a = 1;\nconst b = a > 1 ? 1 : 2;\n';
  const declared = { file: '', line: '? 1', kind: 'constant', reason: '' } as const;
  const found = mutantsOf(source).filter((mutant) => isDeclared(declared, mutant, source));
  assert.deepEqual(
    found.map(({ start, replacement }) => [source.slice(start - 2, start + 1), replacement]),
    [['? 1', '0']],
  );
});

test('each mutant that is declared equivalent is one that there is', () => {
  const unknown = EQUIVALENTS.filter((declared) => {
    const source = readFileSync(new URL(`../../${declared.file}`, import.meta.url), 'utf8');
    return !mutantsOf(source).some((mutant) => isDeclared(declared, mutant, source));
  });
  assert.deepEqual(unknown, []);
});
