import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { contractWords, fuzzyScore } from './fuzzy.ts';

function best(typed: string, texts: readonly string[]): string | undefined {
  const scored = texts.flatMap((text) => {
    const score = fuzzyScore(typed, text);
    return score === undefined ? [] : [{ text, score }];
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.text;
}

test('a word that begins with the typed letters goes before one that has them inside', () => {
  equal(best('ris', ['Show comparisons', 'Show the risk workspace']), 'Show the risk workspace');
});

test('letters that were left out are forgiven', () => {
  ok(fuzzyScore('relnce', 'RELIANCE-EQ') !== undefined);
  ok(fuzzyScore('bnknfty', 'BANKNIFTY29DEC26F') !== undefined);
});

test('every typed word must be there, in any order', () => {
  equal(best('chart show', ['Show the chart', 'Show the depth']), 'Show the chart');
  equal(fuzzyScore('show nothing', 'Show the chart'), undefined);
});

test('letters from the middle of words are not taken together', () => {
  equal(fuzzyScore('hwart', 'Show the chart'), undefined);
});

test('of two texts that answer alike the shorter one is nearer, and nothing typed answers everything', () => {
  equal(best('itc', ['ITCHOTELS-EQ', 'ITC-EQ']), 'ITC-EQ');
  ok(fuzzyScore('', 'Show the chart') !== undefined);
});

test('a contract that is typed as one word is taken apart', () => {
  equal(contractWords('niftyfut'), 'nifty fut');
  equal(contractWords('nifty24000ce'), 'nifty 24000 ce');
  equal(contractWords('nifty 24000pe'), 'nifty 24000 pe');
  equal(contractWords('reliance'), 'reliance');
  equal(contractWords('fut'), 'fut');
});
