import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '../../src/base/assert.ts';
import type { AccountId, AlertNumber, GttNumber, InstrumentId, OrderNumber, Tick } from '../../src/base/ids.ts';
import type { Paise, Price, Quantity } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import { linesOf } from '../../src/base/stored-tables.ts';
import { type EpochMs, type IstDay, istInstant, type WallMs } from '../../src/base/time.ts';
import type { AskedLeg, PlaceGtt } from '../../src/core/broker/gtt/gtt-commands.ts';
import { nextGttNumber } from '../../src/core/broker/gtt/gtt-number.ts';
import type { Alert } from '../../src/core/lists/alert.ts';
import { applyAlertFired, fileAlert } from '../../src/core/lists/alerts.ts';
import { fileWatchlist } from '../../src/core/lists/watchlists.ts';
import { copyOf } from '../../src/core/order.ts';
import { stateTables } from '../../src/core/snapshot/snapshot.ts';
import type { StandingTrigger } from '../../src/core/standing/standing-trigger.ts';
import type { State } from '../../src/core/state.ts';
import { LIVE } from '../../src/engine/live.ts';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../kit/journal/small-market.ts';
import { clientCommand, type Memory, opening } from '../kit/journal/trading.ts';
import { testPorts } from '../kit/ports.ts';
import { assertSameState } from '../kit/same-state.ts';
import { stateFrom } from '../kit/stored-state.ts';

const SEED = 20261123;
const DAY = 20_500 as IstDay;
const PORTS = testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() });

/** Three GTTs, one of them with two legs, and one that ends. */
const WAITING = [
  gtt(0, leg(99_50), leg(101_00)),
  gtt(1, leg(80_00)),
  gtt(1, leg(130_00)),
  {
    type: 'CancelGtt',
    account: 1 as AccountId,
    gtt: (must(nextGttNumber(0 as GttNumber, istInstant(DAY)), 'a number') + 2) as GttNumber,
  },
] as const;

/** A rule for requests that is used once, and one for the market of a share. */
const GROUNDS = { by: 'desk', why: 'a lesson' } as const;
const SCENARIOS = [
  { type: 'SetScenario', effect: '429', value: 2, count: 3, account: 1 as AccountId, operation: 'limit', ...GROUNDS },
  {
    type: 'SetScenario',
    effect: 'upper-circuit',
    value: 60,
    count: 1,
    instrument: must(EQUITIES[0], 'a share').id,
    ...GROUNDS,
  },
] as const;

function leg(trigger: number): AskedLeg {
  const terms = { priceType: 'MKT', retention: 'DAY', quantity: 1 as Quantity, price: 0 as Price, trigger: 0 as Price };
  return { side: 'B', product: 'C', terms: terms as AskedLeg['terms'], remarks: 'a GTT', trigger: trigger as Price };
}

function gtt(account: number, ...legs: PlaceGtt['legs']): PlaceGtt {
  const instrument = must(EQUITIES[0], 'a share').id;
  return { type: 'PlaceGtt', account: account as AccountId, instrument, legs, remarks: '' };
}

/** The state of a day of random trading, with something in it that rests, waits and is held. */
function traded(): State {
  const live = LIVE.empty();
  const random = new Random(SEED);
  const memory: Memory = { orders: [], sessions: [] };
  const take = (command: Parameters<typeof live.step>[1]['command'], second: number): void => {
    live.step(PORTS, { seq: live.seq + 1, at: istInstant(DAY, 36_000_000 + second * 1_000), command });
  };
  take({ type: 'RollDay', day: DAY }, 0);
  for (const command of opening()) take(command, 0);
  take({ type: 'OpenSession', account: 0 as AccountId, tokenDigest: 'ab'.repeat(32) }, 0);
  take({ type: 'SetClock', speed: 0.5, by: 'desk', why: 'a lesson', wall: 1_795_150_800_000 as WallMs }, 0);
  const point = { name: 'later', parent: 'first', journal: 'cd'.repeat(32), record: live.state.seq };
  take({ type: 'BeginBranch', point, by: 'desk', why: 'a trial', wall: 1_795_150_800_001 as WallMs }, 0);
  for (const command of WAITING) take(command, 0);
  for (const command of SCENARIOS) take(command, 0);
  for (let number = 0; number < 300; number += 1) take(clientCommand(random, memory, `order ${number}`), number);
  return live.state;
}

const STATE = traded();
const LINES = [...linesOf(stateTables(STATE))];

function restored(lines: Iterable<string> = LINES): State {
  return stateFrom(lines);
}

/** A change of each member of a state that a comparison must see. */
const CHANGES: {
  readonly [Key in Exclude<keyof State, 'active' | 'watched' | 'bookStore' | 'posted'>]: (state: State) => void;
} = {
  seq: (state) => (state.seq += 1),
  demoAccounts: (state) => state.demoAccounts.add(5_000 as AccountId),
  at: (state) => (state.at = (state.at + 1) as EpochMs),
  clock: (state) => (state.clock = { ...must(state.clock, 'a clock'), speed: 7 }),
  branches: (state) => (state.branches = state.branches.map((point) => ({ ...point, record: 7 }))),
  day: (state) => (state.day = (state.day + 1) as IstDay),
  riskTick: (state) => (state.riskTick = 7 as Tick),
  riskFiles: (state) => (state.riskFiles = ['a digest']),
  lastOrder: (state) => (state.lastOrder = (state.lastOrder + 1) as OrderNumber),
  lastExchangeOrder: (state) => (state.lastExchangeOrder = 1 as State['lastExchangeOrder']),
  lastTrade: (state) => (state.lastTrade = 1 as State['lastTrade']),
  accounts: (state) => {
    const [row] = must(state.accounts.at(0), 'an account').positions.values();
    must(row, 'a position').carriedCost = 1 as Paise;
  },
  accountByUser: (state) => state.accountByUser.add(0 as AccountId),
  cards: (state) => {
    const { card } = must(state.accounts.at(0), 'an account');
    state.cards.replace(card, { ...state.cards.read(card), sealedCredentials: 'others' });
  },
  orders: (state) => {
    const [order] = state.orders.live();
    must(order, 'a live order').filled = 1_000_000 as Quantity;
  },
  afterMarket: (state) => {
    const [order] = state.orders.live();
    state.afterMarket.add({ ...copyOf(must(order, 'a live order')), afterMarket: { day: state.day } });
  },
  outcomes: (state) => state.outcomes.add({ order: 1 as OrderNumber, outcome: 'Cancel', due: 1 as EpochMs }),
  gtts: (state) => (state.gtts.last = (state.gtts.last + 1) as GttNumber),
  standing: (state) => state.standing.arm(TRIGGER),
  books: (state) => {
    const book = must(
      [...state.books.values()].find((one) => one.orderCount('B') > 0),
      'a book with a buy',
    );
    const [first] = book.restingOrders();
    book.remove(must(first, 'an order rests'));
  },
  sessions: (state) => state.sessions.clear(),
  replies: (state) => state.replies.set('0:key', { bodyDigest: '', order: 1 as OrderNumber, at: 1 as EpochMs }),
  counterparties: (state) => state.counterparties.clear(),
  credited: (state) => state.credited.clear(),
  house: (state) => (state.house.bank = 1 as Paise),
  banned: (state) => state.banned.add(1 as InstrumentId),
  overLimit: (state) => state.overLimit.set(1 as InstrumentId, { openInterest: 2, limit: 1, since: DAY }),
  switches: (state) =>
    state.switches.set('FullKill', { target: { kind: 'FullKill' }, since: 1 as EpochMs, by: '', why: '' }),
  scenarioRules: (state) => state.scenarioRules.delete(must([...state.scenarioRules.keys()][0], 'a rule')),
  breaker: (state) => (state.breaker = { stage: 10, until: 1 as Tick }),
  widenedBands: (state) => state.widenedBands.set(1 as InstrumentId, { lower: 1 as Price, upper: 2 as Price }),
  shareBands: (state) => (state.shareBands = [{ instrument: 1 as InstrumentId, percent: 5, from: DAY }]),
  corporateActions: (state) => (state.corporateActions = [ACTION]),
  squaredOff: (state) => state.squaredOff.add('ExpiringContracts'),
  dayEnd: (state) => (state.dayEnd = 'Charges'),
  heldShares: (state) => (state.heldShares.cost += 1),
  portion: (state) => (state.portion = { of: 'RollDay', number: 2, from: 1 as AccountId, before: DAY }),
  closing: (state) => state.closing.set(1 as InstrumentId, 1 as Price),
  alerts: (state) => {
    for (const number of [5, 3, 9]) fileAlert(state, { ...ALERT, number: number as AlertNumber });
    const fired = { alert: 5 as AlertNumber, account: ALERT.account, price: 3 as Price, tick: 2 as Tick };
    applyAlertFired(state, 2 as EpochMs, { type: 'AlertFired', ...fired });
  },
  watchlists: (state) => {
    for (const account of [1, 0] as AccountId[]) {
      for (const name of ['b', 'a']) fileWatchlist(state, { account, name, instruments: [3, 2] as InstrumentId[] });
    }
  },
};

const TRIGGER: StandingTrigger = {
  owner: 'Gtt',
  number: 1,
  leg: 0,
  instrument: 1 as InstrumentId,
  way: 'Rising',
  price: 1 as Price,
};

const ACTION: State['corporateActions'][number] = {
  kind: 'bonus',
  isin: 'INE000000011',
  listings: [1 as InstrumentId],
  exDay: DAY,
  before: 1,
  after: 2,
  dividend: 0 as Price,
  adjustsContracts: true,
};

const ALERT: Alert = {
  number: 1 as AlertNumber,
  account: 1 as AccountId,
  instrument: 3 as InstrumentId,
  way: 'Rising',
  price: 3 as Price,
  remarks: '',
  placedAt: 1 as EpochMs,
};

describe('a restored state', () => {
  it('is the state that was stored, member by member', () => {
    assert.equal([...STATE.gtts.values()].length, 3);
    assert.ok(STATE.orders.size > 50 && STATE.sessions.size > 0 && STATE.counterparties.size > 0);
    assertSameState(STATE, restored());
  });

  for (const [member, change] of Object.entries(CHANGES)) {
    it(`differs when its ${member} does`, () => {
      const changed = restored();
      change(changed);
      assert.throws(() => assertSameState(STATE, changed), { name: 'AssertionError' });
    });

    it(`keeps a change of its ${member}`, () => {
      const changed = restored();
      change(changed);
      // These follow from the accounts, the orders and the GTTs, which have not changed.
      if (['accountByUser', 'demoAccounts', 'afterMarket', 'heldShares', 'standing'].includes(member)) return;
      assertSameState(changed, restored(linesOf(stateTables(changed))));
    });
  }
});

describe('a stored state is refused', () => {
  const first = (table: string) => LINES.indexOf(`#${table}`) + 1;
  const edited = (table: string, from: RegExp, to: string) =>
    LINES.map((line, index) => (index === first(table) ? line.replace(from, to) : line));
  const WRONG: readonly (readonly [what: string, lines: readonly string[], words: RegExp])[] = [
    [
      'when a table is missing',
      LINES.filter((line) => line !== '#orders'),
      /the table orders is missing|row \d+ of accounts/,
    ],
    ['when it ends early', LINES.slice(0, first('books')), /the table sessions is missing/],
    ['when a row is not JSON', edited('orders', /^\[/, ''), /row 1 of orders: .*JSON/],
    [
      'when an order has a place too few',
      edited('orders', /,[^,]*\]$/, ']'),
      /row 1 of orders: an order is .* not a row of 24 to 26 values/,
    ],
    [
      'when an order has a side of its own',
      edited('orders', /"[BS]"/, '"X"'),
      /row 1 of orders: side is "X", not one of B, S/,
    ],
    [
      'when a number is a text',
      edited('orders', /^\[\d+/, '["one"'),
      /row 1 of orders: number is "one", not a whole number/,
    ],
    [
      'when a number is not a whole one',
      edited('accounts', /"paidIn":\d+/, '"paidIn":1.5'),
      /row 1 of accounts: paidIn is 1.5, not a whole number/,
    ],
    ['when a field is missing', edited('accounts', /"paidIn":\d+,/, ''), /row 1 of accounts: paidIn is missing/],
    [
      'when a field is unknown',
      edited('accounts', /"paidIn"/, '"owed":1,"paidIn"'),
      /row 1 of accounts: .* the field owed, which is unknown/,
    ],
    ['when an account stands elsewhere', edited('accounts', /"id":0/, '"id":3'), /account 3 stands in another place/],
    [
      'when the version is another',
      edited('state', /"version":\d+/, '"version":2'),
      /a snapshot of version 2 cannot be loaded/,
    ],
    ['when it is of something else', ['{}'], /the table state is missing/],
  ];
  for (const [what, lines, words] of WRONG) {
    it(what, () => assert.throws(() => restored(lines), { name: 'Undecodable', message: words }));
  }
});
