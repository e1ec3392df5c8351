import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circlesOf, longFunctions, MAX_FUNCTION_LINES } from './measures.ts';

test('the search for circles finds each of them once, and nothing else', () => {
  const graph = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', ['e', 'f']],
    ['e', ['d']],
    ['f', []],
    ['g', ['g']],
  ]);
  assert.deepEqual(circlesOf(graph), ['a > b > c > a', 'd > e > d', 'g > g']);
});

test('the measure of functions counts whole functions and nothing else', () => {
  const body = '  a();\n'.repeat(MAX_FUNCTION_LINES - 1);
  const heads = ['function f(): void {', 'const f = (): void => {', 'export async function f(): Promise<void> {'];
  for (const head of heads) {
    assert.deepEqual(longFunctions(`${head}\n${body}}\n`), [`1 (${MAX_FUNCTION_LINES + 1} lines)`], head);
    assert.deepEqual(longFunctions(`${head}\n${body.slice(7)}}\n`), [], head);
  }
  assert.deepEqual(longFunctions(`const table = {\n${body}};\n`), []);
  assert.deepEqual(longFunctions(`class C {\n  private f(a: number): void {\n${body}  }\n}\n`).length, 1);
});
