import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../src/base/assert.ts';
import type { AccountId, InstrumentId } from '../../src/base/ids.ts';
import type { HoursRegime } from '../../src/base/market/hours-regime.ts';
import { type Price, price, quantity } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import { HOUR_MS, type IstDay, istInstant, parseIsoDay } from '../../src/base/time.ts';
import {
  type CorporateActions,
  NO_CORPORATE_ACTIONS,
} from '../../src/core/broker/corporate-actions/corporate-action.ts';
import type { AnnounceCorporateAction } from '../../src/core/command.ts';
import { type Instrument, isDerivative } from '../../src/core/instrument.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import type { Ports } from '../../src/core/ports.ts';
import { netQuantity } from '../../src/core/position.ts';
import { stateHash } from '../../src/core/snapshot/hash.ts';
import { emptyState, type State } from '../../src/core/state.ts';
import { step } from '../../src/core/step.ts';
import { dateOfBegin, everyDaySettledAs } from '../../src/core/trading-days.ts';
import { calendarHours } from '../../src/market/session/sessions.ts';
import { SyntheticMarket } from '../../src/market/synthetic/synthetic-market.ts';
import { loadReferenceData } from '../../src/reference/instruments/load.ts';
import { futuresOn } from '../kit/futures-on.ts';
import { type OrderWords, World } from '../kit/money/world.ts';
import { testPorts } from '../kit/ports.ts';
import { reloaded } from '../kit/stored-state.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../data'));
/** A Thursday: the bonus comes after a weekend, the dividend on the Wednesday after it. */
const START = day('2026-11-05');
const BONUS_DAY = day('2026-11-09');
const DIVIDEND_DAY = day('2026-11-11');
const LAST = day('2026-11-13');
const USERS = 4;

function day(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

/** The real instruments on the synthetic market, under the actions that `actions` gives. */
function exchangeOf(regime: HoursRegime, actions: () => CorporateActions) {
  const closeOf = (id: InstrumentId, of: IstDay, asOf: IstDay): Price => market.closeOn(id, of, asOf);
  const days = regime === 'exchange' ? data.days : everyDaySettledAs(data.days);
  const instruments = data.master({ closeOf, actions, beginOf: (day) => dateOfBegin(days, day) });
  const calendar = calendarHours(data);
  const market = new SyntheticMarket({ seed: 3, regime, instruments, facts: data.facts, calendar, actions });
  const ports: Ports = testPorts({ instruments, market, days, charges: data.rules.charges });
  return { instruments, market, ports };
}

type Exchange = ReturnType<typeof exchangeOf>;

/** A core whose ports see the actions of its own state. */
function openWorld(regime: HoursRegime): { world: World; exchange: Exchange } {
  let world: World | undefined;
  const exchange = exchangeOf(regime, () => world?.state.corporateActions ?? NO_CORPORATE_ACTIONS);
  world = new World(exchange.ports, START);
  return { world, exchange };
}

function traded({ instruments, market }: Exchange, at: World['at']): Instrument[] {
  const share = must(instruments.find('NSE', 'RELIANCE-EQ', at), 'RELIANCE');
  const spot = market.lastPrint(share.id, market.tickAt(at)).price;
  const [expiry] = instruments.expiries(share.id, at).slice(-1);
  const chain = [...instruments.chain(share.id, must(expiry, 'an expiry'), at)];
  const near = chain.sort((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot)).slice(0, 6);
  const futures = futuresOn(instruments, 'NFO', 'RELIANCE', at).filter(({ expiryDay }) => expiryDay === expiry);
  return [share, must(instruments.find('BSE', 'RELIANCE', at), 'RELIANCE on BSE'), ...near, ...futures];
}

function randomOrder(
  random: Random,
  account: AccountId,
  of: Instrument,
  { market }: Exchange,
  at: World['at'],
): OrderWords {
  const last = market.lastPrint(of.id, market.tickAt(at)).price;
  const cash = of.kind === 'equity';
  const side = random.pick(['B', 'B', 'S'] as const);
  const limit = Math.max(1, Math.round((last * (side === 'B' ? 1.02 : 0.98)) / of.tick)) * of.tick;
  const units = cash ? random.between(1, 40) : of.lot * random.between(1, 2);
  return { by: account, of: of.id, side, units, product: cash ? 'C' : 'M', at: random.chance(30) ? last : limit };
}

function announcement(exchange: Exchange, at: World['at'], terms: Partial<AnnounceCorporateAction>) {
  const [nse, bse] = [
    exchange.instruments.find('NSE', 'RELIANCE-EQ', at),
    exchange.instruments.find('BSE', 'RELIANCE', at),
  ];
  const listings = [must(nse, 'on NSE').id, must(bse, 'on BSE').id] as const;
  const base = { kind: 'bonus', before: 2, after: 3, dividend: price(0), exDay: BONUS_DAY } as const;
  return { type: 'AnnounceCorporateAction', listings, ...base, ...terms } as AnnounceCorporateAction;
}

/**
 * Users trade a share and its contracts over a bonus and a special dividend; `restart` dumps and loads the state each
 * morning.
 */
function live(regime: HoursRegime, seed: number, restart: boolean) {
  const random = new Random(seed);
  const opened = openWorld(regime);
  const { world } = opened;
  let { exchange } = opened;
  const share = must(exchange.instruments.find('NSE', 'RELIANCE-EQ', world.at), 'RELIANCE');
  const users = Array.from({ length: USERS }, (_, index) => world.user(`USER${index}`, 5_000_000_00));
  for (const user of users) world.give(user, share.id, random.between(1, 99), 90_000_00);
  world.submit({
    type: 'PledgeShares',
    account: must(users[0], 'a user'),
    instrument: share.id,
    quantity: quantity(1),
  });
  world.submit(announcement(exchange, world.at, {}));
  const dividend = { kind: 'dividend', before: 1, after: 1, dividend: price(4_000), exDay: DIVIDEND_DAY } as const;
  world.submit(announcement(exchange, world.at, dividend));
  const { ports } = exchange;
  for (let today = START; today <= LAST; today = (today + 1) as IstDay) {
    if (!must(ports.days, 'days').isTradingDay(today)) continue;
    world.passTo(istInstant(today, 10 * HOUR_MS));
    checkInvariants(world.state, exchange.ports);
    if (restart) {
      world.state = reloaded(world.state);
      exchange = { ...exchange, ...exchangeOf(regime, () => world.state.corporateActions), ports };
    }
    const instruments = traded(exchange, world.at);
    for (let turn = 0; turn < 20; turn += 1) {
      world.at = (world.at + 60_000) as World['at'];
      world.place(randomOrder(random, random.pick(users), random.pick(instruments), exchange, world.at));
    }
    checkInvariants(world.state, exchange.ports);
  }
  return { world, exchange };
}

function eventsOf({ records }: World, type: string) {
  return records.flatMap(({ events }) => events).filter((event) => event.type === type);
}

for (const [regime, seed] of [
  ['always', 5],
  ['exchange', 6],
] as const) {
  test(`a bonus and a dividend among trades keep every rule, and replay to the same state, in ${regime} hours, seed ${seed}`, () => {
    const { world, exchange } = live(regime, seed, false);
    for (const type of ['HoldingAdjusted', 'DividendPaid', 'PositionAdjusted', 'CollateralRevalued'])
      assert.ok(eventsOf(world, type).length > 0, type);
    for (const { positions } of world.state.accounts) {
      for (const row of positions.values()) {
        const instrument = must(exchange.instruments.get(row.instrument), 'an instrument');
        if (isDerivative(instrument))
          assert.equal(instrument.replacedBy, undefined, 'nobody is left in an old contract');
        assert.equal(Math.abs(netQuantity(row)) % instrument.lot, 0);
      }
    }
    assert.equal(stateHash(live(regime, seed, true).world.state), stateHash(world.state), 'restarts change nothing');
    const later = exchangeOf(regime, () => world.state.corporateActions);
    let replayed: State = emptyState();
    const own = exchangeOf(regime, () => replayed.corporateActions);
    for (const ports of [own.ports, later.ports]) {
      replayed = emptyState();
      for (const { seq, at, command, events } of world.records) {
        assert.deepEqual(step(replayed, ports, { seq, at, command }).events, events, `record ${seq} decided again`);
      }
      assert.equal(stateHash(replayed), stateHash(world.state));
    }
  });
}

test('symbols change at the midnight of the ex-date, not before', () => {
  const { world, exchange } = live('always', 5, false);
  const { instruments } = exchange;
  const names = (at: World['at']) => {
    const share = must(instruments.find('NSE', 'RELIANCE-EQ', at), 'RELIANCE');
    const [expiry] = instruments.expiries(share.id, at);
    return instruments.chain(share.id, must(expiry, 'an expiry'), at).map(({ tradingSymbol }) => tradingSymbol);
  };
  const midnight = istInstant(DIVIDEND_DAY);
  assert.deepEqual(
    world.state.corporateActions.map(({ adjustsContracts }) => adjustsContracts),
    [true, true],
  );
  const before = names((midnight - 1) as World['at']);
  const after = names(midnight);
  const gone = before.filter((name) => !after.includes(name));
  assert.ok(gone.length > 10, `${gone.length} of ${before.length}`);
  const search = (text: string, at: number) =>
    instruments.search(text, 3, at as World['at']).map(({ tradingSymbol }) => tradingSymbol);
  for (const name of gone.slice(0, 5)) {
    assert.deepEqual(search(name, midnight - 1)[0], name);
    assert.ok(!search(name, midnight).includes(name));
  }
  const lotAt = (at: number) => instruments.find('NFO', 'RELIANCE23NOV26F', at as World['at'])?.lot;
  const bonus = istInstant(BONUS_DAY);
  assert.equal(must(lotAt(bonus), 'a future') * 2, must(lotAt(bonus - 1), 'a future') * 3);
});
