import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sauda } from '../../../client/src/sauda.ts';
import { contractWords, editDistance, proposals } from './proposals.ts';

const LISTED = ['RELAXO-EQ', 'RELCHEMQ-EQ', 'RELIABLE-EQ', 'RELIANCE-EQ', 'RELINFRA-BE', 'ITC-EQ'];

/** A search over a few shares by the beginning of their names; `asked` notes the texts. */
function searching(asked: string[] = []): Sauda {
  const search = async (text: string) => {
    asked.push(text);
    const found = LISTED.filter((symbol) => symbol.startsWith(text));
    return found.map((tradingSymbol) => ({ exchange: 'NSE', tradingSymbol }));
  };
  return { market: { search } } as unknown as Sauda;
}

const first = async (tradingSymbol: string) =>
  (await proposals(searching(), { exchange: 'NSE', tradingSymbol }))[0]?.tradingSymbol;

test('the name that is nearest to a mistyped one is proposed first', async () => {
  assert.equal(await first('RELAINCE'), 'RELIANCE-EQ');
  assert.equal(await first('RELIANC'), 'RELIANCE-EQ');
  assert.equal(await first('RELIANCE-BE'), 'RELIANCE-EQ');
  assert.equal(await first('ITCC'), 'ITC-EQ');
  assert.equal(await first('XYZ'), undefined);
  assert.equal(await first('X'), undefined);
});

test('a contract is looked for by its words in whatever form it is named', async () => {
  const words = {
    NIFTY26DEC24800CE: 'NIFTY DEC 24800 CE',
    NIFTY26DECFUT: 'NIFTY DEC FUT',
    NIFTY05DEC26C24000: 'NIFTY DEC 24000 CE',
    'M&M29DEC26F': 'M&M DEC FUT',
    'BAJAJ-AUTO26DEC9000PE': 'BAJAJ-AUTO DEC 9000 PE',
  };
  for (const [symbol, text] of Object.entries(words)) assert.equal(contractWords(symbol), text, symbol);
  for (const symbol of ['ITC', 'NIFTY50', 'RELIANCE-EQ', '']) assert.equal(contractWords(symbol), undefined, symbol);
  const asked: string[] = [];
  await proposals(searching(asked), { exchange: 'NFO', tradingSymbol: 'NIFTY26DECFUT' });
  assert.equal(asked[0], 'NIFTY DEC FUT');
});

test('the distance of two names counts letters that are put in, left out, changed or swapped', () => {
  const distances: readonly (readonly [string, string, number])[] = [
    ['', '', 0],
    ['', 'ITC', 3],
    ['ITC', 'ITC', 0],
    ['ITCC', 'ITC', 1],
    ['RELAINCE', 'RELIANCE', 1],
    ['SBIN', 'SIBN', 1],
    ['KITTEN', 'SITTING', 3],
  ];
  for (const [one, other, apart] of distances) {
    assert.equal(editDistance(one, other), apart, `${one} and ${other}`);
    assert.equal(editDistance(other, one), apart, `${other} and ${one}`);
  }
});
