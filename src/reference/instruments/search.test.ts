import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { EXCHANGES } from '../../base/ids.ts';
import { Random } from '../../base/random.ts';
import type { EpochMs } from '../../base/time.ts';
import { type Instrument, isDerivative } from '../../core/instrument.ts';
import { loadReferenceData } from './load.ts';
import { searchQuery } from './packed-search.ts';
import { representationName } from './representation-name.ts';

const master = loadReferenceData(join(import.meta.dirname, '../../../data')).master();
const NOW = Date.parse('2026-11-21T10:00:00+05:30') as EpochMs;

function symbols(text: string, limit = 100): string[] {
  return master.search(text, limit, NOW).map((found) => `${found.exchange}:${found.tradingSymbol}`);
}

/** Everything that a word may be found in, one word at a time. */
function texts(instrument: Instrument): string {
  const company = isDerivative(instrument) ? master.get(instrument.underlying)?.companyName : '';
  const names = [
    instrument.tradingSymbol,
    representationName(instrument),
    instrument.companyName,
    company,
    instrument.symbol,
  ];
  const aliases = instrument.kind === 'index' ? master.aliasesOf(instrument.id) : [];
  return [...names, ...aliases].join('\t').toUpperCase();
}

test('the exact share comes first, on NSE before BSE, then those that begin so', () => {
  const found = symbols('itc');
  assert.deepEqual(found.slice(0, 3), ['NSE:ITC-EQ', 'BSE:ITC', 'NSE:ITCHOTELS-EQ']);
  const firstContract = found.findIndex((symbol) => symbol.startsWith('NFO:ITC'));
  assert.ok(firstContract > 0 && found.indexOf('BSE:ITCHOTELS') < firstContract, 'shares before contracts');
});

test('several words must all match', () => {
  assert.deepEqual(symbols('RELIANCE FUT'), [
    ...['NFO:RELIANCE23NOV26F', 'BFO:RELIANCE26NOVFUT', 'NFO:RELIANCE29DEC26F'],
    ...['BFO:RELIANCE26DECFUT', 'NFO:RELIANCE25JAN27F', 'BFO:RELIANCE27JANFUT'],
  ]);
  const calls = symbols('NIFTY 24000 CE');
  assert.deepEqual(calls.slice(0, 2), ['NFO:NIFTY23NOV26C24000', 'NFO:NIFTY01DEC26C24000'], 'the nearest expiry first');
  assert.ok(calls.every((symbol) => symbol.includes('C24000') || symbol.endsWith('24000CE')));
  assert.deepEqual(symbols('NIFTY ZZZZ'), []);
});

test('of several words one that is a symbol puts the instruments of that symbol first', () => {
  const calls = master.search('NIFTY CE', 100, NOW);
  assert.equal(calls.length, 100);
  assert.ok(calls.every((call) => call.kind === 'option' && call.symbol === 'NIFTY' && call.optionType === 'CE'));
  assert.deepEqual(
    calls.map(({ tradingSymbol }) => tradingSymbol),
    master.search('ce nifty', 100, NOW).map(({ tradingSymbol }) => tradingSymbol),
    'in any order of the words',
  );
  assert.deepEqual(symbols('NIFTY FUT').slice(0, 4), [
    ...['NFO:NIFTY23NOV26F', 'NFO:NIFTY29DEC26F', 'NFO:NIFTY25JAN27F', 'NFO:BANKNIFTY23NOV26F'],
  ]);
  const others = master.search('NIFTY 25000', 100, NOW).map(({ symbol }) => symbol !== 'NIFTY');
  assert.ok(others.indexOf(true) > 0, 'others hold both words');
  assert.equal(others.lastIndexOf(false) + 1, others.indexOf(true));
  assert.deepEqual(symbols('reliance industries').slice(0, 3), [
    ...['NSE:RELIANCE-EQ', 'BSE:RELIANCE', 'NFO:RELIANCE23NOV26F'],
  ]);
});

test('behind the symbol whole words come before parts of words', () => {
  const found = master.search('RELIANCE CE', 1_000_000, NOW);
  const types = found.filter((one) => one.kind === 'option').map(({ optionType }) => optionType);
  assert.ok(types.indexOf('PE') > 0, 'the symbol holds CE too');
  assert.equal(types.lastIndexOf('CE') + 1, types.indexOf('PE'));
});

test('a trading symbol finds its contract, and a part of it what contains the part', () => {
  assert.deepEqual(symbols('nifty29dec26c24000'), ['NFO:NIFTY29DEC26C24000']);
  assert.deepEqual(symbols('SENSEX26D0377500CE'), ['BFO:SENSEX26D0377500CE']);
  assert.ok(symbols('Y29DEC26C240').includes('NFO:NIFTY29DEC26C24000'));
});

test('a company name finds its share and its contracts', () => {
  const found = symbols('tata consultancy services');
  assert.deepEqual(found.slice(0, 3), ['NSE:TCS-EQ', 'BSE:TCS', 'NFO:TCS23NOV26F']);
});

test('an empty text finds nothing, and there are never more than the limit', () => {
  assert.deepEqual(symbols('  '), []);
  for (const text of ['E', 'CE', '2', 'LIMITED']) assert.equal(symbols(text).length, 100, text);
  assert.equal(symbols('NIFTY', 7).length, 7);
});

test('a word that is said again is looked for once', () => {
  const often = searchQuery('e a '.repeat(16));
  assert.deepEqual(often?.words, ['E', 'A']);
  assert.deepEqual(symbols('ITC ITC eq itc'), symbols('ITC EQ'));
});

test('a limit cuts the whole answer off, and changes nothing in front of it', () => {
  const queries = ['R', 'ITC', 'NIFTY', 'BANK', 'TATA MOTORS', 'NIFTY 24000 CE', '29DEC26', 'E', 'PE', 'BSE'];
  for (const text of [...queries, 'NIFTY CE', 'RELIANCE C', 'reliance industries', 'NIFTY FUT']) {
    const whole = symbols(text, 1_000_000);
    for (const limit of [1, 2, 3, 20, 100, 1_000]) {
      assert.deepEqual(symbols(text, limit), whole.slice(0, limit), `${limit} of ${text}`);
    }
  }
});

test('search finds exactly what a plain look through every instrument finds', () => {
  const seed = 7;
  const random = new Random(seed);
  const all = EXCHANGES.flatMap((exchange) => [...master.list(exchange, NOW)]);
  const searched = all.map((instrument) => ({ id: instrument.id, text: texts(instrument) }));
  for (let round = 0; round < 40; round += 1) {
    const source = random.pick(searched).text.split(/[\t ]+/);
    const words = Array.from({ length: random.between(1, 3) }, () => {
      const word = random.pick(source);
      const start = random.chance(60) ? 0 : random.below(word.length);
      return word.slice(start, random.chance(60) ? word.length : start + 5);
    }).filter((word) => word.length > 2);
    if (words.length === 0) continue;
    const expected = new Set(
      searched.filter(({ text }) => words.every((word) => text.includes(word))).map(({ id }) => id),
    );
    const found = master.search(words.join(' '), 100_000, NOW).map(({ id }) => id);
    const foundIds = new Set(found);
    assert.equal(foundIds.size, found.length, `seed ${seed}: ${words.join(' ')} finds something twice`);
    const missing = [...expected].filter((id) => !foundIds.has(id)).map((id) => master.get(id)?.tradingSymbol);
    const extra = found.filter((id) => !expected.has(id)).map((id) => master.get(id)?.tradingSymbol);
    assert.deepEqual([missing.slice(0, 3), extra.slice(0, 3)], [[], []], `seed ${seed}: ${words.join(' ')}`);
  }
});

test('representation names read as clients expect', () => {
  const expected: [(typeof EXCHANGES)[number], string, string][] = [
    ['NSE', 'ITC-EQ', 'ITC'],
    ['BSE', 'ITC', 'ITC'],
    ['NSE', 'NIFTY', 'NIFTY'],
    ['NFO', 'ITC29DEC26F', 'ITC DEC FUT'],
    ['NFO', 'NIFTY01DEC26C24000', 'NIFTY 01DEC26 24000 CE'],
    ['NFO', 'NIFTY29DEC26P24000', 'NIFTY DEC26 24000 PE'],
  ];
  for (const [exchange, symbol, name] of expected) {
    const found = master.find(exchange, symbol, NOW);
    assert.equal(found && representationName(found), name);
  }
});
