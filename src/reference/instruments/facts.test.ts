import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import { EXCHANGES, instrumentId } from '../../base/ids.ts';
import { type EpochMs, formatIsoDay } from '../../base/time.ts';
import { loadReferenceData } from './load.ts';

const { facts, master: build } = loadReferenceData(join(import.meta.dirname, '../../../data'));
const master = build();
const NOW = Date.parse('2026-11-21T10:00:00+05:30') as EpochMs;

test('every index and share has a reference close above 0, a volatility and a sector', () => {
  for (const exchange of ['NSE', 'BSE'] as const) {
    for (const { id, tradingSymbol, kind } of master.list(exchange, NOW)) {
      const known = must(facts.factsOf(id), tradingSymbol);
      assert.ok(known.reference > 0 && known.volatility > 0 && known.volatility <= 0.9, tradingSymbol);
      assert.ok(Number.isFinite(known.beta) && known.sector !== '', tradingSymbol);
      assert.ok(known.referenceDay <= facts.lastDay, tradingSymbol);
      assert.equal(known.dayVolume === 0, kind === 'index', tradingSymbol);
    }
  }
});

test('known figures are the real ones', () => {
  const nifty = must(facts.factsOf(instrumentId('NSE', 26_000)), 'NIFTY');
  assert.deepEqual(
    [nifty.reference, formatIsoDay(nifty.referenceDay), nifty.sector, nifty.beta],
    [2_425_200, '2026-08-21', 'MARKET', 1],
  );
  assert.ok(nifty.volatility > 0.1 && nifty.volatility < 0.2);
  const tcs = must(facts.factsOf(instrumentId('NSE', 11_536)), 'TCS');
  assert.deepEqual([tcs.reference, tcs.sector], [230_200, 'IT']);
  assert.equal(facts.factsOf(instrumentId('NSE', 999_999)), undefined);
});

test('a share on both exchanges has one volatility, beta and sector, and knows its twin', () => {
  const [nse, bse] = [instrumentId('NSE', 1_660), instrumentId('BSE', 500_875)];
  assert.deepEqual([facts.twinOf(nse), facts.twinOf(bse)], [bse, nse]);
  const [a, b] = [must(facts.factsOf(nse), 'ITC'), must(facts.factsOf(bse), 'ITC')];
  assert.deepEqual([a.volatility, a.beta, a.sector], [b.volatility, b.beta, b.sector]);
});

test('the weights of an index sum to 1 and are of shares of its own exchange', () => {
  let withMembers = 0;
  for (const index of master.indices()) {
    const members = facts.constituentsOf(index.id);
    if (members.length === 0) continue;
    withMembers += 1;
    assert.ok(Math.abs(members.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-9, index.tradingSymbol);
    for (const { id, weight } of members) {
      const share = must(master.get(id), `${index.tradingSymbol} ${id}`);
      assert.ok(share.kind === 'equity' && share.exchange === index.exchange && weight > 0);
    }
  }
  assert.equal(withMembers, 19);
  assert.equal(facts.constituentsOf(instrumentId('NSE', 26_000)).length, 50);
  assert.deepEqual(facts.constituentsOf(instrumentId('NSE', 26_017)), [], 'the volatility index has none');
});

test('the reference close of every share lies on its tick or is an old one', () => {
  let off = 0;
  for (const exchange of EXCHANGES.slice(0, 2)) {
    for (const instrument of master.list(exchange, NOW)) {
      if (instrument.kind !== 'equity') continue;
      const { reference, referenceDay } = must(facts.factsOf(instrument.id), instrument.tradingSymbol);
      if (reference % instrument.tick !== 0 && facts.lastDay - referenceDay < 2) off += 1;
    }
  }
  assert.ok(off < 40, `${off} closes off their tick`);
});
