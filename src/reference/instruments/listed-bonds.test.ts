import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { RULES } from '../../../test/kit/rules.ts';
import { must } from '../../base/assert.ts';
import { instrumentId } from '../../base/ids.ts';
import { tickOf } from '../../base/tick.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import { parseIsoDay } from '../../base/time.ts';
import type { Equity } from '../../core/instrument.ts';
import { listedMarket } from '../../market/synthetic/listed-fixture.ts';
import { loadReferenceData } from './load.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const master = data.master();
const NOW = Date.parse('2026-11-23T11:00:00+05:30') as EpochMs;
const DAY = must(parseIsoDay('2026-11-23'), 'a day');
const BONDS = { NSE: ['GB', 'GS'], BSE: ['F', 'G'] } as const;
const BOND = /^G[BS]$/;

function shares(exchange: 'NSE' | 'BSE'): Equity[] {
  return [...master.list(exchange, NOW)].filter((one) => one.kind === 'equity');
}

function bonds(exchange: 'NSE' | 'BSE'): Equity[] {
  const groups: readonly string[] = BONDS.BSE;
  return shares(exchange).filter(({ series }) => (exchange === 'NSE' ? BOND.test(series) : groups.includes(series)));
}

test('the masters of NSE and BSE have every series and group of the data, bonds among them', () => {
  assert.equal(bonds('NSE').length, 177);
  assert.equal(bonds('BSE').length, 481);
  assert.ok([...master.symbolLines('NSE', NOW)].length > 3_800);
  assert.ok([...master.symbolLines('BSE', NOW)].length > 5_700);
  const seriesOf = (exchange: 'NSE' | 'BSE') => new Set(shares(exchange).map(({ series }) => series));
  const [nse, bse] = [seriesOf('NSE'), seriesOf('BSE')];
  for (const series of ['EQ', 'BE', 'BZ', 'SM', 'ST', 'SZ', 'IV', 'RR', ...BONDS.NSE])
    assert.ok(nse.has(series), series);
  const groups = ['A', 'B', 'E', 'IF', 'M', 'MS', 'MT', 'P', 'R', 'T', 'TS', 'X', 'XT', 'Z', 'ZP', ...BONDS.BSE];
  assert.deepEqual([...bse].sort(), groups.sort());
});

test('every bond has an ISIN of its own, since holdings are kept by it', () => {
  for (const exchange of ['NSE', 'BSE'] as const) {
    const isins = new Set(
      shares(exchange)
        .filter(({ series }) => !bondSeries(exchange, series))
        .map(({ isin }) => isin),
    );
    for (const { isin, tradingSymbol } of bonds(exchange)) {
      assert.match(isin, /^[A-Z]{2}[A-Z0-9]{10}$/, tradingSymbol);
      assert.ok(!isins.has(isin), tradingSymbol);
      isins.add(isin);
    }
  }
});

function bondSeries(exchange: 'NSE' | 'BSE', series: string): boolean {
  return exchange === 'NSE' ? BOND.test(series) : (BONDS.BSE as readonly string[]).includes(series);
}

test('bonds and SME shares have the lots of their masters, and trade in settlements that net', () => {
  const find = (exchange: 'NSE' | 'BSE', symbol: string) => must(master.find(exchange, symbol, NOW), symbol) as Equity;
  for (const [exchange, symbol] of [
    ['NSE', 'SGBJUN27-GB'],
    ['BSE', '92GS2030'],
  ] as const) {
    assert.equal(find(exchange, symbol).tradeForTrade, false, symbol);
  }
  const small = shares('NSE').filter(({ series }) => series === 'SM' || series === 'ST');
  assert.ok(small.length > 500 && small.filter(({ lot }) => lot > 1).length > 0.95 * small.length);
});

test('government paper is margined as the first group, corporate bonds of BSE as the second and of NSE as the third', () => {
  const rates = RULES.margins.on(DAY);
  for (const series of ['GB', 'GS', 'G']) assert.equal(rates.groupOfSeries(series), 'first', series);
  assert.equal(rates.groupOfSeries('F'), 'second');
  assert.equal(rates.groupOfSeries('N0'), 'third');
});

test('a gold bond is one paper on both exchanges, and every gold bond costs about the same', () => {
  const [nse, bse] = [instrumentId('NSE', 13_209), instrumentId('BSE', 800_301)];
  assert.deepEqual([data.facts.twinOf(nse), data.facts.twinOf(bse)], [bse, nse]);
  const closes = bonds('NSE')
    .filter(({ series }) => series === 'GB')
    .map(({ id }) => data.facts.referenceOf(id));
  assert.ok(closes.length === 45 && Math.max(...closes) < 1.1 * Math.min(...closes));
});

test('a bond of each series has a coherent market, whether it ever traded or not', () => {
  const market = listedMarket('exchange');
  const tick = tickOf(DAY as IstDay, 11 * 3_600);
  for (const exchange of ['NSE', 'BSE'] as const) {
    const first = new Map<string, Equity>();
    for (const bond of bonds(exchange)) {
      if (!first.has(bond.series)) first.set(bond.series, bond);
    }
    assert.equal(first.size, BONDS[exchange].length);
    for (const { id, tradingSymbol, lot, tick: step } of first.values()) {
      const { bids, asks } = market.depth(id, tick);
      const { lower, upper } = market.band(id, tick);
      const { price, quantity } = market.lastPrint(id, tick);
      const [bid, ask] = [must(bids[0], tradingSymbol), must(asks[0], tradingSymbol)];
      assert.ok(lower < bid.price && bid.price < ask.price && ask.price < upper, tradingSymbol);
      assert.ok(lower <= price && price <= upper, tradingSymbol);
      for (const figure of [price, bid.price, ask.price, lower, upper]) assert.equal(figure % step, 0, tradingSymbol);
      for (const units of [quantity, bid.quantity, ask.quantity]) assert.equal(units % lot, 0, tradingSymbol);
    }
  }
});
