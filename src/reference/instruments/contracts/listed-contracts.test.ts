import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../../base/assert.ts';
import { type InstrumentId, instrumentId } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { type EpochMs, HOUR_MS, type IstDay, istInstant, parseIsoDay } from '../../../base/time.ts';
import type { CorporateAction } from '../../../core/broker/corporate-actions/corporate-action.ts';
import { isDerivative } from '../../../core/instrument.ts';
import { LAST_WEEK } from '../../calendar/expiry-calendar.ts';
import { loadReferenceData } from '../load.ts';
import { contractOfToken, contractToken, FIRST_WEEK } from './contract-token.ts';

/* Contracts that clients name, by token and by symbol: whatever they name, nothing is built that is not listed. */

const data = loadReferenceData(join(import.meta.dirname, '../../../../data'));
const TODAY = must(parseIsoDay('2026-11-20'), 'a day');
const NOW = istInstant(TODAY, 11 * HOUR_MS);
const NIFTY = instrumentId('NSE', 26_000);
const RELIANCE = instrumentId('NSE', 2_885);
/** A strike of no ladder, in units of the underlying. */
const NO_STRIKE = 16_001;

/** A master that notes the days whose closes it asked for. */
function notingMaster(actions: readonly CorporateAction[] = []) {
  const days: IstDay[] = [];
  const closeOf = (id: InstrumentId, day: IstDay): Price => {
    days.push(day);
    return data.facts.referenceOf(id);
  };
  return { master: data.master({ closeOf, actions: () => actions }), days };
}

function codeOf(underlying: InstrumentId): number {
  const { master } = notingMaster();
  const [expiry] = master.expiries(underlying, NOW);
  const [option] = master.chain(underlying, must(expiry, 'an expiry'), NOW);
  return must(contractOfToken(must(option, 'an option').token), 'its key').code;
}

function idOf(week: number, code: number, adjustments: number): InstrumentId {
  const option = { strikeUnits: NO_STRIKE, type: 'CE' as const };
  return instrumentId('NFO', contractToken({ week, code, adjustments, option }));
}

test('a token builds nothing of a series that is not listed, and nothing of later days of one that is', () => {
  const { master, days } = notingMaster();
  const codes = [codeOf(NIFTY), codeOf(RELIANCE)];
  const ask = (): void => {
    for (let week = FIRST_WEEK; week <= LAST_WEEK; week += 1) {
      for (const code of codes) {
        for (const adjustments of [0, 1]) assert.equal(master.listed(idOf(week, code, adjustments), NOW), undefined);
      }
    }
  };
  ask();
  assert.deepEqual(
    days.filter((day) => day >= TODAY),
    [],
    'closes of days that have not ended',
  );
  const listed = master.expiries(NIFTY, NOW).length + master.expiries(RELIANCE, NOW).length;
  assert.ok(listed < 30 && days.length < listed * 120, `${days.length} closes for ${listed} series`);
  const asked = days.length;
  ask();
  assert.equal(days.length, asked, 'nothing is built twice');
});

test('a symbol builds nothing of a series that is not listed, and nothing of later days of one that is', () => {
  const { master, days } = notingMaster();
  for (const year of ['20', '24', '28', '29', '30', '31', '32', '35', '40']) {
    for (const date of ['31DEC', '30DEC', '29DEC', '26JUN', '25JUN', '24JUN', '28MAR', '29MAR', '30MAR', '05NOV']) {
      for (const tail of ['F', 'C20001', 'P20001']) master.find('NFO', `NIFTY${date}${year}${tail}`, NOW);
      master.find('NFO', `RELIANCE${date}${year}C20001`, NOW);
    }
    for (const month of ['JAN', 'JUN', 'DEC']) master.find('BFO', `SENSEX${year}${month}20001CE`, NOW);
  }
  assert.deepEqual(
    days.filter((day) => day >= TODAY),
    [],
    'closes of days that have not ended',
  );
  assert.ok(days.length < 20 * 120, `${days.length} closes`);
});

test('every contract of the lists is found by its token, also one of eleven digits', () => {
  const { master } = notingMaster();
  let longest = 0;
  for (const exchange of ['NFO', 'BFO'] as const) {
    let count = 0;
    for (const contract of master.list(exchange, NOW)) {
      longest = Math.max(longest, contract.token);
      count += 1;
      if (count % 5 === 0) assert.deepEqual(master.listed(contract.id, NOW), contract);
    }
  }
  assert.equal(String(longest).length, 11);
  const [near] = master.expiries(NIFTY, NOW);
  const [option] = master.chain(NIFTY, must(near, 'an expiry'), NOW);
  const { id, expiresAt } = must(option, 'an option');
  assert.ok(master.listed(id, (expiresAt - 1) as EpochMs));
  assert.equal(master.listed(id, expiresAt), undefined, 'it has expired');
  assert.ok(master.get(id), 'it is still known');
  assert.ok(master.listed(NIFTY, NOW));
  assert.equal(master.listed(instrumentId('NSE', 999_999), NOW), undefined);
});

test('from an ex-date on, the adjusted contracts are listed and those that they replace are not', () => {
  const bonus: CorporateAction = {
    kind: 'bonus',
    isin: 'INE002A01018',
    listings: [RELIANCE],
    exDay: TODAY,
    before: 1,
    after: 2,
    dividend: 0 as Price,
    adjustsContracts: true,
  };
  const { master, days } = notingMaster([bonus]);
  const eve = istInstant((TODAY - 1) as IstDay, 11 * HOUR_MS);
  const old = [...master.contractsOn(RELIANCE, eve)].filter(isDerivative);
  assert.ok(old.length > 60, `${old.length} contracts`);
  for (const contract of old) {
    const adjusted = must(contract.replacedBy, contract.tradingSymbol).id;
    assert.deepEqual(master.listed(contract.id, eve), contract);
    assert.equal(master.listed(adjusted, eve), undefined);
    assert.equal(master.listed(contract.id, NOW), undefined);
    assert.deepEqual(master.listed(adjusted, NOW), must(master.get(adjusted), 'it'));
  }
  assert.ok(days.every((day) => day < TODAY));
});
