import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import { EXCHANGES, type InstrumentId, instrumentId } from '../../base/ids.ts';
import { price } from '../../base/money.ts';
import { hashWords } from '../../base/random.ts';
import { DAY_MS, type EpochMs, formatIsoDay, type IstDay, istInstant, parseIsoDay } from '../../base/time.ts';
import { isDerivative } from '../../core/instrument.ts';
import { loadReferenceData } from './load.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const master = data.master();
const NOW = ist('2026-11-21 10:00');
const NIFTY = instrumentId('NSE', 26_000);

function ist(text: string): EpochMs {
  return Date.parse(`${text.replace(' ', 'T')}:00+05:30`) as EpochMs;
}

function day(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

/** `23NOV26` as the wire would show it. */
function expiriesOf(exchange: 'NSE' | 'BSE', name: string, at: EpochMs): string[] {
  const underlying = must(master.underlyingOf(exchange, name, at), name);
  return master.expiries(underlying, at).map(formatIsoDay);
}

test('every live instrument is found by its symbol and by its id, and no two share either', () => {
  const ids = new Set<InstrumentId>();
  let count = 0;
  for (const exchange of EXCHANGES) {
    const symbols = new Set<string>();
    for (const instrument of master.list(exchange, NOW)) {
      count += 1;
      assert.ok(!ids.has(instrument.id) && !symbols.has(instrument.tradingSymbol), instrument.tradingSymbol);
      ids.add(instrument.id);
      symbols.add(instrument.tradingSymbol);
      assert.equal(instrument.id, instrumentId(exchange, instrument.token));
      if (count % 7 !== 0) continue;
      assert.deepEqual(master.get(instrument.id), instrument);
      assert.deepEqual(master.find(exchange, instrument.tradingSymbol.toLowerCase(), NOW), instrument);
    }
  }
  assert.equal(master.count(NOW), count);
  assert.ok(count > 49_000, `${count} instruments`);
});

test('a name with a letter that only looks like one of a symbol is found nowhere', () => {
  assert.ok(master.find('NSE', 'sbin-eq', NOW), 'SBIN-EQ');
  for (const name of ['ſbin-eq', 'ıtc-eq', 'SBIN-ＥＱ']) assert.equal(master.find('NSE', name, NOW), undefined, name);
});

test('real shares have their real tokens, series, ticks and lots', () => {
  const reliance = must(master.find('NSE', 'reliance-eq', NOW), 'RELIANCE-EQ');
  assert.equal(reliance.token, 2_885);
  assert.ok(
    reliance.kind === 'equity' &&
      reliance.isin === 'INE002A01018' &&
      reliance.hasDerivatives &&
      !reliance.tradeForTrade,
  );
  assert.equal(reliance.tick, 10);
  assert.equal(master.find('NSE', 'm&m-eq', NOW)?.tradingSymbol, 'M&M-EQ');
  for (const name of ['M%26M-EQ', '\u3000M&M-EQ', 'M&M-EQ\n']) assert.equal(master.find('NSE', name, NOW), undefined);
  assert.equal(master.find('BSE', 'ITC', NOW)?.token, 500_875);
  assert.equal(master.find('NSE', 'IDEA-EQ', NOW)?.freeze, 15_059_681);
  assert.equal(reliance.freeze, 0, 'no cash freeze is on record');
  assert.equal(master.find('NSE', 'RELIANCE', NOW), undefined, 'a share needs its series');
});

test('trade-for-trade shares are those of the gross settled series and groups', () => {
  const series = { NSE: new Set<string>(), BSE: new Set<string>() };
  for (const exchange of ['NSE', 'BSE'] as const) {
    for (const instrument of master.list(exchange, NOW)) {
      if (instrument.kind === 'equity' && instrument.tradeForTrade) series[exchange].add(instrument.series);
    }
  }
  assert.deepEqual([...series.NSE].sort(), ['BE', 'BZ', 'ST', 'SZ']);
  assert.deepEqual([...series.BSE].sort(), ['MT', 'T', 'TS', 'XT', 'Z', 'ZP']);
});

test('an index answers to its symbol, its full name and the names that clients use', () => {
  for (const name of ['NIFTY', 'Nifty 50', 'nifty 50', 'NIFTY 50'])
    assert.equal(master.find('NSE', name, NOW)?.token, 26_000);
  for (const name of ['BANKNIFTY', 'Nifty Bank']) assert.equal(master.find('NSE', name, NOW)?.token, 26_009);
  for (const name of ['NIFTYIT', 'NIFTY IT']) assert.equal(master.find('NSE', name, NOW)?.token, 26_008);
  assert.equal(master.find('NSE', 'india vix', NOW)?.token, 26_017);
  assert.equal(master.find('BSE', 'SENSEX', NOW)?.token, 1);
  assert.equal(master.find('BSE', 'METAL', NOW)?.kind, 'equity', 'the share wins');
  assert.equal(master.find('BSE', 'BSE METAL', NOW)?.kind, 'index');
  assert.equal(master.indices().length, 216);
  const nifty = must(master.find('NSE', 'Nifty 50', NOW), 'NIFTY');
  assert.deepEqual([nifty.tradingSymbol, nifty.lot, nifty.tick, nifty.freeze], ['NIFTY', 1, 5, 0]);
});

test('the expiries on 21 November 2026 are those of R1.34', () => {
  const longDated = ['2027-03-30', '2027-06-29', '2027-09-28', '2027-12-28', '2028-06-27', '2028-12-26', '2029-06-26'];
  assert.deepEqual(expiriesOf('NSE', 'NIFTY', NOW), [
    ...['2026-11-23', '2026-12-01', '2026-12-08', '2026-12-15', '2026-12-22', '2026-12-29', '2027-01-25'],
    ...[...longDated, '2029-12-25', '2030-06-25', '2030-12-31', '2031-06-24'],
  ]);
  assert.deepEqual(expiriesOf('BSE', 'SENSEX', NOW), [
    ...['2026-11-26', '2026-12-03', '2026-12-10', '2026-12-17', '2026-12-24', '2026-12-31', '2027-01-28'],
    ...['2027-03-25', '2027-06-24', '2027-09-30', '2027-12-30', '2028-06-29', '2028-12-28', '2029-06-28'],
    ...['2029-12-27', '2030-06-27', '2030-12-26', '2031-06-26'],
  ]);
  const monthly = ['2026-11-23', '2026-12-29', '2027-01-25'];
  assert.deepEqual(expiriesOf('NSE', 'BANKNIFTY', NOW), [...monthly, '2027-03-30', '2027-06-29', '2027-09-28']);
  assert.deepEqual(expiriesOf('NSE', 'RELIANCE', NOW), monthly);
  assert.deepEqual(expiriesOf('BSE', 'RELIANCE', NOW), ['2026-11-26', '2026-12-31', '2027-01-28']);
});

test('contracts expire at the close of their last day, and the next ones come on the trading day after', () => {
  const before = ist('2026-11-23 15:39');
  const after = ist('2026-11-23 15:41');
  const contract = must(master.find('NFO', 'NIFTY23NOV26C24000', before), 'before the close');
  assert.equal(master.find('NFO', 'NIFTY23NOV26C24000', after), undefined);
  assert.equal(expiriesOf('NSE', 'BANKNIFTY', after)[0], '2026-12-29');
  assert.equal(master.chain(NIFTY, day('2026-11-23'), after).length, 0);
  assert.deepEqual(master.get(contract.id), contract, 'still known');
  assert.ok(!expiriesOf('NSE', 'RELIANCE', ist('2026-11-24 12:00')).includes('2027-02-23'), 'a holiday lists nothing');
  assert.ok(expiriesOf('NSE', 'RELIANCE', ist('2026-11-25 09:00')).includes('2027-02-23'));
  const february = must(master.find('NFO', 'RELIANCE23FEB27F', ist('2026-11-25 09:15')), 'listed');
  assert.equal(isDerivative(february) && formatIsoDay(february.listedOn), '2026-11-25');
  assert.equal(master.find('NFO', 'RELIANCE23FEB27F', NOW), undefined, 'not yet listed');
});

test('a contract has the lot, freeze and ticks of its underlying and date', () => {
  const expected: ['NFO' | 'BFO', string, number, number, number][] = [
    ['NFO', 'NIFTY29DEC26C24000', 65, 1_800, 5],
    ['NFO', 'NIFTY29DEC26F', 65, 1_800, 10],
    ['NFO', 'BANKNIFTY29DEC26F', 30, 600, 20],
    ['NFO', 'FINNIFTY29DEC26F', 60, 1_800, 10],
    ['NFO', 'MIDCPNIFTY29DEC26F', 120, 2_800, 5],
    ['NFO', 'NIFTYNXT5029DEC26F', 25, 600, 20],
    ['NFO', 'NIFTYFPI29DEC26F', 1_100, 8_500, 5],
    ['BFO', 'SENSEX26DECFUT', 20, 1_000, 5],
    ['BFO', 'BANKEX26DECFUT', 30, 900, 5],
    ['NFO', 'RELIANCE29DEC26F', 500, 20_000, 10],
    ['BFO', 'RELIANCE26DECFUT', 500, 20_000, 5],
  ];
  for (const [exchange, symbol, lot, freeze, tick] of expected) {
    const found = must(master.find(exchange, symbol, NOW), symbol);
    assert.deepEqual([found.lot, found.freeze, found.tick], [lot, freeze, tick], symbol);
  }
  const old = must(master.find('NFO', 'NIFTY23DEC25C24250', ist('2025-12-22 10:00')), 'a contract of 2025');
  assert.equal(old.lot, 75);
  assert.equal(master.get(old.id)?.tradingSymbol, 'NIFTY23DEC25C24250', 'known a year after its expiry');
  assert.equal(master.find('NFO', old.tradingSymbol, NOW), undefined);
});

test('the master decides on the underlying of a BSE symbol where two could be meant', () => {
  const fifty = must(master.find('BFO', 'SENSEX5026DECFUT', NOW), 'SENSEX50');
  assert.equal(isDerivative(fifty) && master.get(fifty.underlying)?.tradingSymbol, 'SENSEX50');
  const weekly = must(master.find('BFO', 'SENSEX26D0377500PE', NOW), 'weekly');
  assert.ok(weekly.kind === 'option' && weekly.cycle === 'weekly' && formatIsoDay(weekly.expiryDay) === '2026-12-03');
  assert.equal(
    master.find('BFO', 'SENSEX26D3177500PE', NOW),
    undefined,
    'a monthly expiry has its monthly symbol only',
  );
  const january = must(master.find('BFO', 'SENSEX2710777500PE', ist('2026-12-15 10:00')), '7 January 2027');
  assert.equal(january.kind === 'option' && formatIsoDay(january.expiryDay), '2027-01-07');
});

test('a chain has 40 strikes on each side for an index and 15 for a share, ascending, call before put', () => {
  const chain = master.chain(NIFTY, day('2026-12-29'), NOW);
  const strikes = [...new Set(chain.map((option) => option.strike))];
  const near = strikes.filter((strike) => Math.abs(strike - 2_425_000) <= 40 * 5_000);
  assert.equal(near.length >= 81, true, `${near.length} strikes`);
  assert.ok(strikes.includes(price(2_425_000)) && strikes.includes(price(2_225_000)));
  chain.forEach((option, index) => {
    assert.equal(option.optionType, index % 2 === 0 ? 'CE' : 'PE');
    assert.ok(index < 2 || option.strike > must(chain[index - 2], 'an option').strike);
  });
  const reliance = master.chain(instrumentId('NSE', 2_885), day('2026-12-29'), NOW);
  assert.equal(reliance.length, 62);
  assert.deepEqual(master.chain(NIFTY, day('2026-12-30'), NOW), []);
});

test('an underlying is known by index names, cash symbols and contract symbols of either segment', () => {
  const reliance = instrumentId('NSE', 2_885);
  for (const exchange of ['NSE', 'NFO'] as const) {
    for (const name of ['RELIANCE', 'reliance-eq', 'RELIANCE29DEC26F'])
      assert.equal(master.underlyingOf(exchange, name, NOW), reliance);
    for (const name of ['NIFTY', 'Nifty 50', 'NIFTY29DEC26C24000'])
      assert.equal(master.underlyingOf(exchange, name, NOW), NIFTY);
  }
  for (const exchange of ['BSE', 'BFO'] as const) {
    assert.equal(master.underlyingOf(exchange, 'SENSEX', NOW), instrumentId('BSE', 1));
    assert.equal(master.underlyingOf(exchange, 'ITC', NOW), instrumentId('BSE', 500_875));
  }
  assert.equal(master.underlyingOf('NSE', '20MICRONS-EQ', NOW), undefined, 'no derivatives on it');
  assert.equal(master.underlyingOf('NSE', 'SENSEX', NOW), undefined);
});

test('a contract that was listed stays listed until it expires, whatever its underlying does', () => {
  const seed = 20_261_121;
  const closes = (id: InstrumentId, date: IstDay) => {
    const swing = (hashWords(seed, id, date >> 3) / 4_294_967_296 - 0.5) * 0.5;
    return price(Math.round(data.facts.referenceOf(id) * (1 + swing)));
  };
  const wandering = data.master({ closeOf: closes });
  const seen = new Map<string, { id: InstrumentId; expiresAt: EpochMs }>();
  const underlyings = [NIFTY, instrumentId('NSE', 2_885), instrumentId('BSE', 1)];
  for (let date = day('2026-09-01'); date < day('2027-02-01'); date = (date + 1) as IstDay) {
    const at = istInstant(date, 10 * 3_600_000);
    const listed = new Map<string, InstrumentId>();
    for (const underlying of underlyings) {
      for (const expiry of wandering.expiries(underlying, at)) {
        for (const option of wandering.chain(underlying, expiry, at)) {
          listed.set(option.tradingSymbol, option.id);
          assert.ok(option.listedOn <= date && date <= option.expiryDay);
          const earlier = seen.get(option.tradingSymbol);
          assert.ok(!earlier || earlier.id === option.id, `seed ${seed}: ${option.tradingSymbol} changed its token`);
          seen.set(option.tradingSymbol, { id: option.id, expiresAt: option.expiresAt });
        }
      }
    }
    for (const [symbol, { id, expiresAt }] of seen) {
      assert.ok(
        expiresAt <= at || listed.get(symbol) === id,
        `seed ${seed}: ${symbol} is gone on ${formatIsoDay(date)}`,
      );
    }
  }
  const tokens = new Set([...seen.values()].map(({ id }) => id));
  assert.equal(tokens.size, seen.size, 'no two contracts share a token');
  const fresh = data.master({ closeOf: closes });
  for (const [symbol, { id }] of seen)
    assert.equal(fresh.get(id)?.tradingSymbol, symbol, `seed ${seed}: known by id alone`);
});

test('the answer for an id does not depend on earlier questions', () => {
  const rising = (id: InstrumentId, date: IstDay) =>
    price(data.facts.referenceOf(id) + (date - day('2026-09-01')) * 2_000);
  const asked = data.master({ closeOf: rising });
  asked.prepare(NOW);
  const later = must(
    data.master({ closeOf: rising }).find('NFO', 'NIFTY29DEC26C28100', ist('2026-12-28 10:00')),
    'listed later',
  );
  assert.ok(later.kind === 'option' && later.listedOn > day('2026-11-21'));
  assert.equal(asked.find('NFO', 'NIFTY29DEC26C28100', NOW), undefined, 'not listed yet');
  assert.deepEqual(asked.get(later.id), later);
  assert.equal(
    asked.chain(NIFTY, day('2026-12-29'), NOW).some((option) => option.id === later.id),
    false,
  );
  assert.ok(asked.search('NIFTY29DEC26C28100', 100, NOW).every((found) => found.id !== later.id));
});

test('contracts that are listed in pieces are those that are listed at once', () => {
  const closes = (id: InstrumentId, date: IstDay) => price(data.facts.referenceOf(id) + (date % 60) * 100);
  const [inPieces, atOnce] = [data.master({ closeOf: closes }), data.master({ closeOf: closes })];
  const pieces = must(inPieces.listing(NOW), 'nothing is listed yet');
  let count = 0;
  while (pieces.next().done !== true) {
    count += 1;
    // Questions in between do not disturb it.
    if (count % 400 === 0) assert.equal(inPieces.expiries(NIFTY, NOW).length, atOnce.expiries(NIFTY, NOW).length);
  }
  assert.ok(count > 1_000, `${count} pieces`);
  assert.equal(inPieces.listing(NOW), undefined, 'all is listed');
  assert.ok(inPieces.listing((NOW + DAY_MS) as EpochMs) !== undefined, 'the next date has its own lists');
  assert.equal(inPieces.count(NOW), atOnce.count(NOW));
  for (const exchange of ['NFO', 'BFO'] as const) {
    assert.deepEqual([...inPieces.list(exchange, NOW)], [...atOnce.list(exchange, NOW)], exchange);
  }
  for (const text of ['NIFTY 28000', 'ITC FUT', 'SENSEX PE', 'RELIANCE']) {
    assert.deepEqual(inPieces.search(text, 100, NOW), atOnce.search(text, 100, NOW), text);
  }
});
