import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import { type InstrumentId, instrumentId } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import type { Price } from '../../base/money.ts';
import { Random } from '../../base/random.ts';
import { tickOf } from '../../base/tick.ts';
import { HOUR_MS, type IstDay, istInstant } from '../../base/time.ts';
import type { CorporateAction, CorporateActions } from '../../core/broker/corporate-actions/corporate-action.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import {
  ALL_IDS,
  BSE_SHARE,
  civil,
  FUTURE,
  freshMarket,
  IDLE_SHARE,
  NIFTY,
  SHARE,
  SHARE_IDS,
  STOCK_FUTURE,
} from '../synthetic/fixture.ts';
import { SyntheticMarket } from '../synthetic/synthetic-market.ts';
import { calendarHours } from './sessions.ts';

const DAY = civil(2026, 9, 14);
const OTHER = must(SHARE_IDS[5], 'a share');

function dividendOf(listings: readonly InstrumentId[], exDay: IstDay, dividend = 300): CorporateAction {
  const units = { before: 1, after: 1, dividend: dividend as Price };
  return { kind: 'dividend', isin: `INE${listings[0]}`, listings, exDay, ...units, adjustsContracts: false };
}

function splitOf(listings: readonly InstrumentId[], exDay: IstDay): CorporateAction {
  const units = { before: 1, after: 5, dividend: 0 as Price };
  return { kind: 'split', isin: `INE${listings[0]}`, listings, exDay, ...units, adjustsContracts: true };
}

/** The list with one action more or less, of one of these shares. */
function changed(random: Random, list: CorporateActions, shares: readonly (readonly InstrumentId[])[]) {
  const withdrawn = list.length > 0 && random.chance(30) ? random.pick(list) : undefined;
  if (withdrawn !== undefined) return list.filter((one) => one !== withdrawn);
  const listings = random.pick(shares);
  const exDay = (DAY + random.between(-6, 8)) as IstDay;
  if (list.some((one) => one.exDay === exDay && one.listings === listings)) return list;
  return [...list, random.chance(40) ? splitOf(listings, exDay) : dividendOf(listings, exDay)];
}

for (const regime of ['always', 'exchange'] as const satisfies readonly HoursRegime[]) {
  test(`as actions come and go, a market answers as one that was never asked before, in ${regime} hours`, () => {
    const random = new Random(23);
    const shares = [[SHARE, BSE_SHARE], [IDLE_SHARE], ...SHARE_IDS.slice(3).map((id) => [id])];
    let list: CorporateActions = [];
    const lived = freshMarket(regime, 7, () => list);
    for (let turn = 0; turn < 12; turn += 1) {
      list = changed(random, list, shares);
      const fresh = freshMarket(regime, 7, () => list);
      for (let question = 0; question < 8; question += 1) {
        const id = random.pick(ALL_IDS);
        const day = (DAY + random.between(-4, 8)) as IstDay;
        const tick = tickOf(day, random.below(86_400));
        assert.deepEqual(answers(lived, id, day, tick), answers(fresh, id, day, tick), `${id} on ${day} in ${turn}`);
      }
    }
  });
}

function answers(market: SyntheticMarket, id: InstrumentId, day: IstDay, tick: ReturnType<typeof tickOf>) {
  return [
    market.lastPrint(id, tick),
    market.previousClose(id, tick),
    market.band(id, tick),
    market.depth(id, tick),
    market.dayFigures(id, tick),
    market.settlementPrice(id, tick),
    market.openInterest(id, tick),
    market.daily(id, (day - 3) as IstDay, day, tick),
    market.intraday(id, 15, istInstant(day), istInstant((day + 1) as IstDay), tick),
  ];
}

test('an action empties the memory of its share, its twin, their indices and contracts, and of nothing else', () => {
  let list: CorporateActions = [dividendOf([OTHER], DAY)];
  const market = freshMarket('exchange', 7, () => list);
  const known = new Map(ALL_IDS.map((id) => [id, market.modelOf(id)]));
  const isKept = (id: InstrumentId) => market.modelOf(id) === known.get(id);
  list = [...list, dividendOf([IDLE_SHARE], DAY)];
  assert.deepEqual(
    ALL_IDS.filter((id) => !isKept(id)),
    [IDLE_SHARE],
  );
  list = [...list, dividendOf([SHARE], DAY)];
  for (const id of [SHARE, BSE_SHARE, NIFTY, FUTURE, STOCK_FUTURE]) assert.ok(!isKept(id), `${id} is made again`);
  for (const id of [OTHER, ...SHARE_IDS.slice(3)]) assert.ok(isKept(id), `${id} is kept`);
});

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const RELIANCE = instrumentId('NSE', 2_885);
const TWIN = must(data.facts.twinOf(RELIANCE), 'the listing on BSE');
const TCS = instrumentId('NSE', 11_536);
const AT = istInstant(DAY, 12 * HOUR_MS);

/** A master and its market, with the underlyings whose closes were asked for. */
function worldWith(actions: () => CorporateActions) {
  const asked = new Set<InstrumentId>();
  const closeOf = (id: InstrumentId, day: IstDay, asOf: IstDay): Price => {
    asked.add(id);
    return market.closeOn(id, day, asOf);
  };
  const master = data.master({ closeOf, actions });
  const calendar = calendarHours(data);
  const market = new SyntheticMarket({
    seed: 5,
    regime: 'exchange',
    instruments: master,
    facts: data.facts,
    calendar,
    actions,
  });
  return { master, market, asked };
}

function contractsOf({ master }: ReturnType<typeof worldWith>, underlying: InstrumentId) {
  return master.expiries(underlying, AT).flatMap((expiry) => master.chain(underlying, expiry, AT));
}

test('as actions come and go, contracts are those of a master that was never asked before', () => {
  const random = new Random(31);
  let list: CorporateActions = [];
  const lived = worldWith(() => list);
  for (let turn = 0; turn < 6; turn += 1) {
    list = changed(random, list, [[RELIANCE, TWIN], [TCS]]);
    const fresh = worldWith(() => list);
    for (const underlying of [RELIANCE, TCS]) {
      assert.deepEqual(contractsOf(lived, underlying), contractsOf(fresh, underlying), `${underlying} in ${turn}`);
    }
  }
});

test('a dividend lists the contracts of its share again, and of no other underlying', () => {
  let list: CorporateActions = [];
  const world = worldWith(() => list);
  const nifty = instrumentId('NSE', 26_000);
  for (const underlying of [nifty, TCS, RELIANCE]) contractsOf(world, underlying);
  world.asked.clear();
  list = [dividendOf([RELIANCE, TWIN], (DAY + 3) as IstDay)];
  for (const underlying of [nifty, TCS, RELIANCE]) contractsOf(world, underlying);
  assert.deepEqual([...world.asked], [RELIANCE]);
});
