import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { futuresOn } from '../../../test/kit/futures-on.ts';
import { must } from '../../base/assert.ts';
import { type InstrumentId, instrumentId } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import { tickOf } from '../../base/tick.ts';
import { type EpochMs, HOUR_MS, type IstDay, istInstant, parseIsoDay } from '../../base/time.ts';
import type { CorporateAction, CorporateActions } from '../../core/broker/corporate-actions/corporate-action.ts';
import { MOST_ADJUSTMENTS } from '../../core/broker/corporate-actions/corporate-action-announcement.ts';
import { type Derivative, isDerivative } from '../../core/instrument.ts';
import { calendarHours } from '../../market/session/sessions.ts';
import { SyntheticMarket } from '../../market/synthetic/synthetic-market.ts';
import { MAX_ADJUSTMENTS } from '../instruments/contracts/contract-token.ts';
import { loadReferenceData } from '../instruments/load.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
/** A Wednesday. */
const EX_DAY = must(parseIsoDay('2026-11-11'), 'a day');
const EVE = (EX_DAY - 1) as IstDay;
const RELIANCE = instrumentId('NSE', 2_885);
const TWIN = must(data.facts.twinOf(RELIANCE), 'the listing on BSE');
const BEFORE = noon(EVE);
const AFTER = noon(EX_DAY);

function noon(day: IstDay): EpochMs {
  return istInstant(day, 12 * HOUR_MS);
}

function actionOf(terms: Partial<CorporateAction>): CorporateAction {
  return {
    kind: 'bonus',
    isin: 'INE002A01018',
    listings: [RELIANCE, TWIN],
    exDay: EX_DAY,
    before: 1,
    after: 2,
    dividend: 0 as Price,
    adjustsContracts: true,
    ...terms,
  };
}

const BONUS = actionOf({});
const SPECIAL = actionOf({ kind: 'dividend', after: 1, dividend: 8_050 as Price });

function worldWith(list: CorporateActions, actions = () => list) {
  const closeOf = (id: InstrumentId, day: IstDay, asOf: IstDay): Price => market.closeOn(id, day, asOf);
  const master = data.master({ closeOf, actions });
  const market = new SyntheticMarket({
    seed: 5,
    regime: 'always',
    instruments: master,
    facts: data.facts,
    calendar: calendarHours(data),
    actions,
  });
  return { master, market };
}

type World = ReturnType<typeof worldWith>;

/** The contracts on the share, by expiry: the future of each, then its options. */
function contractsAt({ master }: World, at: EpochMs): Derivative[] {
  const futures = futuresOn(master, 'NFO', 'RELIANCE', at);
  return master.expiries(RELIANCE, at).flatMap((expiry) => {
    const future = futures.filter(({ expiryDay }) => expiryDay === expiry);
    return [...future, ...master.chain(RELIANCE, expiry, at)];
  });
}

/** The contracts on the share in the exchange's list, which makes those of all shares first. */
function listedAt({ master }: World, at: EpochMs): Derivative[] {
  return [...master.list('NFO', at)].filter(isDerivative).filter(({ underlying }) => underlying === RELIANCE);
}

test('on the ex-date every old contract is another: strike by the factor, lot times it, and each names the other', () => {
  const world = worldWith([BONUS]);
  const { master } = world;
  const old = contractsAt(world, BEFORE).filter(({ expiryDay }) => expiryDay >= EX_DAY);
  const now = new Map(contractsAt(world, AFTER).map((contract) => [contract.id, contract]));
  assert.ok(old.length > 60, `${old.length} contracts`);
  for (const contract of old) {
    const { id, from } = must(contract.replacedBy, contract.tradingSymbol);
    const adjusted = must(now.get(id), `the contract in the place of ${contract.tradingSymbol}`);
    assert.equal(from, EX_DAY);
    assert.equal(adjusted.replaces, contract.id);
    assert.equal(adjusted.listedOn, EX_DAY);
    assert.equal(adjusted.lot, contract.lot * 2);
    assert.deepEqual([adjusted.kind, adjusted.expiryDay], [contract.kind, contract.expiryDay]);
    if (contract.kind === 'option' && adjusted.kind === 'option') {
      assert.equal(adjusted.optionType, contract.optionType);
      assert.ok(Math.abs(adjusted.strike * 2 - contract.strike) <= 5, `${contract.strike} became ${adjusted.strike}`);
    }
    assert.deepEqual(master.get(contract.id), contract, 'the old one is still known by its id');
    assert.deepEqual(master.get(adjusted.id), adjusted);
    assert.equal(master.find('NFO', contract.tradingSymbol, BEFORE)?.id, contract.id);
    assert.notEqual(master.find('NFO', contract.tradingSymbol, AFTER)?.id, contract.id);
    assert.equal(master.find('NFO', adjusted.tradingSymbol, AFTER)?.id, adjusted.id);
    assert.notEqual(master.find('NFO', adjusted.tradingSymbol, BEFORE)?.id, adjusted.id);
  }
});

test('a special dividend comes off the strikes, which then have decimals; lots stay', () => {
  const world = worldWith([SPECIAL]);
  const options = contractsAt(world, BEFORE).filter((contract) => contract.kind === 'option');
  const option = must(options[10], 'an option');
  const adjusted = must(world.master.get(must(option.replacedBy, 'a replacement').id), 'it');
  assert.ok(adjusted.kind === 'option');
  assert.equal(adjusted.strike, option.strike - 8_050);
  assert.equal(adjusted.lot, option.lot);
  assert.match(adjusted.tradingSymbol, /^RELIANCE23NOV26[CP]\d+\.5$/);
  assert.equal(world.master.find('NFO', adjusted.tradingSymbol.toLowerCase(), AFTER)?.id, adjusted.id);
  const [found] = world.master.search(adjusted.tradingSymbol, 5, AFTER);
  assert.equal(found?.id, adjusted.id);
  assert.deepEqual(
    world.master.search(adjusted.tradingSymbol, 5, BEFORE).map(({ id }) => id),
    [],
  );
});

test('search, chain, list and count show the contracts of their day, and new strikes around the new price beside the adjusted', () => {
  const world = worldWith([BONUS]);
  const { master, market } = world;
  for (const at of [BEFORE, AFTER]) {
    const adjusted = at === AFTER;
    for (const expiry of master.expiries(RELIANCE, at)) {
      const chain = master.chain(RELIANCE, expiry, at);
      assert.ok(chain.length > 60, `${chain.length}`);
      for (const option of chain) {
        assert.equal(option.token > 10 ** 12, adjusted);
        assert.ok(adjusted ? option.listedOn >= EX_DAY : option.listedOn < EX_DAY);
      }
      const close = market.previousClose(RELIANCE, tickOf(EX_DAY, 0));
      const strikes = new Set<number>(chain.map(({ strike }) => strike));
      for (let k = -15; adjusted && k <= 15; k += 1) {
        const wanted = Math.floor(close / 1_000 + 0.5) * 1_000 + k * 1_000;
        assert.ok(strikes.has(wanted), `${wanted} is listed around ${close}`);
      }
    }
    const found = master.search('RELIANCE 23NOV26', 500, at).filter(isDerivative);
    assert.ok(found.every(({ token }) => token > 10 ** 12 === adjusted));
    let listed = 0;
    for (const _ of master.list('NFO', at)) listed += 1;
    for (const exchange of ['NSE', 'BSE', 'BFO'] as const) for (const _ of master.list(exchange, at)) listed += 1;
    assert.equal(master.count(at), listed);
  }
});

test('expiries that are listed later have adjusted lots and terms too', () => {
  const world = worldWith([BONUS]);
  const plain = worldWith([]);
  const later = noon((EX_DAY + 80) as IstDay);
  const [future] = contractsAt(world, later).filter(({ kind }) => kind === 'future');
  const [unadjusted] = contractsAt(plain, later).filter(({ kind }) => kind === 'future');
  assert.equal(must(future, 'a future').lot, must(unadjusted, 'a future').lot * 2);
  assert.equal(future?.replaces, undefined);
  assert.ok(contractsAt(world, later).every(({ token }) => token > 10 ** 12));
});

test('an ordinary dividend leaves contracts as they are', () => {
  const world = worldWith([{ ...SPECIAL, dividend: 500 as Price, adjustsContracts: false }]);
  for (const contract of contractsAt(world, BEFORE).filter(({ expiryDay }) => expiryDay >= EX_DAY)) {
    assert.equal(contract.replacedBy, undefined);
    assert.equal(world.master.find('NFO', contract.tradingSymbol, AFTER)?.id, contract.id);
  }
});

test('two actions in the life of a contract adjust it twice', () => {
  const second = { ...SPECIAL, exDay: (EX_DAY + 2) as IstDay };
  const { master, market } = worldWith([BONUS, second]);
  const future = must(master.find('NFO', 'RELIANCE23NOV26F', BEFORE), 'the future');
  const once = must(master.find('NFO', 'RELIANCE23NOV26F', AFTER), 'the adjusted');
  const twice = must(master.find('NFO', 'RELIANCE23NOV26F', noon((EX_DAY + 2) as IstDay)), 'the adjusted again');
  assert.ok(isDerivative(future) && isDerivative(once) && isDerivative(twice));
  assert.equal(future.replacedBy?.id, once.id);
  assert.equal(once.replacedBy?.id, twice.id);
  assert.equal(twice.replaces, once.id);
  assert.equal(twice.replacedBy, undefined);
  assert.equal(twice.lot, future.lot * 2);
  const last = market.previousClose(once.id, tickOf((EX_DAY + 2) as IstDay, 1));
  assert.equal(market.previousClose(twice.id, tickOf((EX_DAY + 2) as IstDay, 1)), last - 8_050);
});

for (const action of [BONUS, SPECIAL]) {
  test(`contracts go on where they were: prices, closes and open interest across a ${action.kind}`, () => {
    const world = worldWith([action]);
    const { market } = world;
    const factor = action.after / action.before;
    const eve = tickOf(EVE, 86_399);
    const first = tickOf(EX_DAY, 30);
    const contracts = contractsAt(world, BEFORE).filter(({ expiryDay }) => expiryDay > EX_DAY);
    let compared = 0;
    for (const contract of contracts.filter((_, index) => index % 9 === 0)) {
      const { id } = must(contract.replacedBy, contract.tradingSymbol);
      const close = market.previousClose(contract.id, first);
      const taken = contract.kind === 'future' ? action.dividend : 0;
      const expected = close / factor - taken;
      const adjustedClose = market.previousClose(id, first);
      assert.ok(Math.abs(adjustedClose - expected) <= 5, `${contract.tradingSymbol}: ${adjustedClose} after ${close}`);
      const room = 0.03 * expected + 300;
      const opening = market.lastPrint(id, (first + 3_600) as typeof first).price;
      const isFresh = market.lastPrint(contract.id, eve).tick > eve - 3_600;
      if (isFresh) compared += 1;
      assert.ok(
        !isFresh || Math.abs(opening - expected) < room,
        `${contract.tradingSymbol}: ${opening} after ${close}`,
      );
      const { openInterest } = must(market.dayFigures(contract.id, eve), 'figures');
      const after = must(market.dayFigures(id, tickOf(EX_DAY, 80_000)), 'figures').openInterest;
      if (openInterest > 50 * contract.lot) {
        const ratio = after / (openInterest * factor);
        assert.ok(ratio > 0.3 && ratio < 3, `${contract.tradingSymbol}: ${openInterest} and ${after}`);
      }
      assert.equal(market.isOpen(contract.id, first), false, 'the old contract trades no more');
      assert.equal(market.isOpen(contract.id, eve), true);
      assert.equal(market.isOpen(id, eve), false);
      assert.equal(market.isOpen(id, first), true);
    }
    assert.ok(compared > 2, `${compared} that traded in the last hour`);
  });
}

test('announcing and withdrawing changes what is found at once, and leaves no trace', () => {
  let actions: CorporateActions = [];
  const world = worldWith(actions, () => actions);
  const symbols = () => listedAt(world, AFTER).map(({ tradingSymbol, token }) => `${tradingSymbol} ${token}`);
  const plain = symbols();
  actions = [BONUS];
  assert.notDeepEqual(symbols(), plain);
  assert.deepEqual(
    symbols(),
    listedAt(worldWith([BONUS]), AFTER).map(({ tradingSymbol, token }) => `${tradingSymbol} ${token}`),
  );
  actions = [];
  assert.deepEqual(symbols(), plain);
});

test('no two contracts of a day share a symbol or an id, and all are in the chains and the futures', () => {
  const world = worldWith([BONUS, { ...SPECIAL, exDay: (EX_DAY + 1) as IstDay }]);
  for (const at of [BEFORE, AFTER, noon((EX_DAY + 1) as IstDay)]) {
    const contracts = listedAt(world, at);
    assert.deepEqual(new Set(contractsAt(world, at)), new Set(contracts));
    assert.equal(new Set(contracts.map(({ tradingSymbol }) => tradingSymbol)).size, contracts.length);
    assert.equal(new Set(contracts.map(({ id }) => id)).size, contracts.length);
  }
});

test('the limit of announced adjustments is the number that tokens can distinguish', () => {
  assert.equal(MAX_ADJUSTMENTS, MOST_ADJUSTMENTS);
});
