import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testPorts } from '../../../../test/kit/ports.ts';
import { reloaded } from '../../../../test/kit/stored-state.ts';
import { must } from '../../../base/assert.ts';
import { type AccountId, type InstrumentId, instrumentId } from '../../../base/ids.ts';
import { type Paise, price, quantity } from '../../../base/money.ts';
import { type IstDay, istInstant } from '../../../base/time.ts';
import type { Account } from '../../account.ts';
import { applyRecord } from '../../apply.ts';
import type { AnnounceCorporateAction, Command } from '../../command.ts';
import type { Derivative, Equity, Instrument } from '../../instrument.ts';
import { checkInvariants } from '../../invariants.ts';
import { type Market, NO_TURNOVER, noInterest } from '../../market.ts';
import type { Ports } from '../../ports.ts';
import { carriedAmount, netQuantity } from '../../position.ts';
import { stateHash } from '../../snapshot/hash.ts';
import { accountOf, emptyState, type State } from '../../state.ts';
import { step } from '../../step.ts';
import { EVERY_DAY } from '../../trading-days.ts';
import { dueBoundary } from '../settlement/boundary.ts';

const DAY = 20_780 as IstDay;
const EX_DAY = (DAY + 1) as IstDay;
const LOT = 500;
const OLD_FUTURE = instrumentId('NFO', 700);
const OLD_CALL = instrumentId('NFO', 701);
const NEW_FUTURE = instrumentId('NFO', 800);
const NEW_CALL = instrumentId('NFO', 801);

const share: Equity = {
  id: instrumentId('NSE', 1_000),
  exchange: 'NSE',
  token: 1_000,
  tradingSymbol: 'ALPHA-EQ',
  symbol: 'ALPHA',
  companyName: 'Alpha',
  lot: quantity(1),
  tick: price(5),
  freeze: quantity(0),
  kind: 'equity',
  isin: 'INE000A01010',
  series: 'EQ',
  tradeForTrade: false,
  hasDerivatives: true,
};

/** The inputs of one case. Prices in paise. */
interface Terms {
  readonly kind: 'bonus' | 'split' | 'dividend';
  readonly before: number;
  readonly after: number;
  readonly dividend: number;
  readonly close: number;
  readonly optionClose: number;
}

const SPECIAL: Terms = { kind: 'dividend', before: 1, after: 1, dividend: 3_000, close: 100_000, optionClose: 4_500 };

function contract(id: InstrumentId, lot: number, more: Partial<Derivative>): Derivative {
  const { exchange, symbol, companyName, tick, freeze } = share;
  const common = {
    id,
    exchange: exchange === 'NSE' ? ('NFO' as const) : exchange,
    token: Math.floor(id / 4),
    tradingSymbol: `ALPHA ${id}`,
    symbol,
    companyName,
    lot: quantity(lot),
    tick,
    freeze,
    underlying: share.id,
    underlyingKind: 'equity' as const,
    expiryDay: (DAY + 20) as IstDay,
    expiresAt: istInstant((DAY + 20) as IstDay, 55_800_000),
    listedOn: (DAY - 30) as IstDay,
    cycle: 'monthly' as const,
  };
  const call = { kind: 'option', strike: price(100_000), optionType: 'CE' } as const;
  return { ...common, ...(more.kind === 'option' ? call : { kind: 'future' }), ...more } as Derivative;
}

/** A share and its two contracts, which become two others on the ex-date. */
class SmallExchange {
  readonly ports: Ports;
  private readonly terms: Terms;

  constructor(terms: Terms) {
    this.terms = terms;
    const newLot = Math.floor((LOT * terms.after) / terms.before);
    const by = (id: InstrumentId) => ({ replacedBy: { id, from: EX_DAY } });
    const listed: Instrument[] = [
      share,
      contract(OLD_FUTURE, LOT, by(NEW_FUTURE)),
      contract(OLD_CALL, LOT, { kind: 'option', ...by(NEW_CALL) }),
      contract(NEW_FUTURE, newLot, { listedOn: EX_DAY, replaces: OLD_FUTURE }),
      contract(NEW_CALL, newLot, { kind: 'option', listedOn: EX_DAY, replaces: OLD_CALL }),
    ];
    const byId = new Map(listed.map((instrument) => [instrument.id, instrument]));
    this.ports = testPorts({ instruments: { get: (id) => byId.get(id) }, market: this.market(), days: EVERY_DAY });
  }

  /** The price of the old terms; new contracts are the old ones in the new terms. */
  priceOf(id: InstrumentId): number {
    return id === OLD_CALL || id === NEW_CALL ? this.terms.optionClose : this.terms.close;
  }

  private market(): Market {
    const at = (id: InstrumentId) => price(this.priceOf(id));
    return {
      tickAt: (instant) => Math.floor(instant / 1_000) as never,
      phase: () => 'Continuous',
      isOpen: () => true,
      depth: (id) => {
        const level = (from: number) => [
          { price: price(from), quantity: quantity(1_000_000), orders: 1, generation: 1 },
        ];
        return { bids: level(at(id) - 5), asks: level(at(id)) };
      },
      quantityAt: () => quantity(1_000_000),
      print: () => undefined,
      lastPrint: (id, tick) => ({ tick, price: at(id), quantity: quantity(1), aggressor: 'B' }),
      turnover: () => NO_TURNOVER,
      previousClose: at,
      auction: (id) => noInterest(at(id)),
      band: () => ({ lower: price(5), upper: price(10_000_000) }),
      risk: (id) => {
        const close = at(id);
        const same = { price: close, spot: close, spotClose: close, forward: close, value: close, delta: () => 1 };
        return { ...same, volatility: 0.2, reprice: (move) => close * (1 + move) };
      },
    };
  }
}

class Desk {
  readonly state: State = emptyState();
  readonly records: { seq: number; at: number; events: ReturnType<typeof step>['events'] }[] = [];
  private readonly ports: Ports;
  private at = istInstant(DAY, 36_000_000);

  constructor(ports: Ports) {
    this.ports = ports;
    this.submit({ type: 'RollDay', day: DAY });
  }

  submit(command: Command) {
    const seq = this.state.seq + 1;
    const done = step(this.state, this.ports, { seq, at: this.at, command });
    if (done.events.length > 0) this.records.push({ seq, at: this.at, events: done.events });
    checkInvariants(this.state, this.ports);
    return done;
  }

  register(userId: string): AccountId {
    const base = { name: userId, email: 'a@example.com', sealedCredentials: '', usesTotp: false, demo: true };
    const { reply } = this.submit({ type: 'RegisterUser', userId, ...base });
    const account = must(reply.type === 'UserRegistered' ? reply.account : undefined, 'an account');
    this.submit({ type: 'DepositCash', account, amount: 1_000_000_000_000 as Paise, opening: true });
    return account;
  }

  hold(account: AccountId, units: number): void {
    const cost = (units * 70_007) as Paise;
    this.submit({ type: 'CreditHolding', account, instrument: share.id, quantity: quantity(units), cost });
  }

  trade(account: AccountId, instrument: InstrumentId, lots: number, at: number): void {
    const terms = { retention: 'DAY', quantity: quantity(Math.abs(lots) * LOT), trigger: price(0) } as const;
    const side = lots > 0 ? 'B' : 'S';
    const command = { type: 'PlaceOrder', account, instrument, side, product: 'M', remarks: '' } as const;
    this.submit({ ...command, terms: { ...terms, priceType: 'LMT', price: price(lots > 0 ? at : at - 5) } });
  }

  announce({ kind, before, after, dividend }: Terms, exDay = EX_DAY) {
    const terms = { kind, before, after, dividend: price(dividend) };
    return this.submit({ type: 'AnnounceCorporateAction', listings: [share.id], exDay, ...terms }).reply;
  }

  passTo(day: IstDay): void {
    const end = istInstant(day, 3_600_000);
    for (let due = dueBoundary(this.state, EVERY_DAY, end); due; due = dueBoundary(this.state, EVERY_DAY, end)) {
      this.at = due.at;
      this.submit(due.command);
    }
    this.at = end;
  }
}

/**
 * The wealth of an account at the closes before the ex-date, in paise times `denominator`, which makes prices of the
 * new terms whole.
 */
function worth(account: Account, priceOf: (id: InstrumentId) => bigint, denominator: bigint): bigint {
  let sum = 0n;
  for (const book of ['cash', 'payin', 'premium', 'delivery', 'realised', 'charges'] as const) {
    sum += BigInt(account.books[book]) * denominator;
  }
  for (const { instrument, settled, unsettled } of account.holdings.values()) {
    sum += BigInt(settled + unsettled) * priceOf(instrument);
  }
  for (const row of account.positions.values()) {
    const net = netQuantity(row);
    sum += BigInt(net) * priceOf(row.instrument);
    if (row.kind === 'future') sum -= BigInt(net > 0 ? carriedAmount(row) : -carriedAmount(row)) * denominator;
  }
  return sum;
}

const factors = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 60 }))
  .map(([before, more]) => ({ before, after: before + more }));
const units = fc.integer({ min: 0, max: 5_000 });
const lots = fc.integer({ min: -9, max: 9 });

/** Plays a case up to the ex-date, with the wealth of every account just before and just after. */
function play(terms: Terms, shares: readonly number[], futures: readonly number[], calls: readonly number[]) {
  const exchange = new SmallExchange(terms);
  const desk = new Desk(exchange.ports);
  const ids = shares.map((held, index) => {
    const account = desk.register(`USER${index}`);
    if (held > 0) desk.hold(account, held);
    if (futures[index]) desk.trade(account, OLD_FUTURE, futures[index], exchange.priceOf(OLD_FUTURE));
    if (calls[index]) desk.trade(account, OLD_CALL, calls[index], exchange.priceOf(OLD_CALL));
    return account;
  });
  assert.equal(desk.announce(terms).type, 'Done');
  const denominator = BigInt(terms.after);
  const oldPrice = (id: InstrumentId) => BigInt(exchange.priceOf(id)) * denominator;
  const newPrice = (id: InstrumentId) => {
    const taken = id === NEW_CALL || id === OLD_CALL ? 0 : terms.dividend;
    return BigInt(exchange.priceOf(id)) * BigInt(terms.before) - BigInt(taken) * denominator;
  };
  const before = ids.map((id) => worth(accountOf(desk.state, id), oldPrice, denominator));
  desk.passTo(EX_DAY);
  const after = ids.map((id) => worth(accountOf(desk.state, id), newPrice, denominator));
  return { desk, ids, before, after, denominator };
}

test('a bonus or a split makes nobody richer or poorer: shares, contracts and cash for fractions keep their value', () => {
  const property = fc.property(
    factors,
    fc.integer({ min: 2_000, max: 90_000 }),
    fc.array(fc.tuple(units, lots, lots), { minLength: 1, maxLength: 4 }),
    (factor, closeTicks, users) => {
      const terms: Terms = { kind: 'split', ...factor, dividend: 0, close: closeTicks * 5, optionClose: 4_455 };
      const [shares, futures, calls] = [0, 1, 2].map((at) => users.map((user) => user[at] as number));
      const { desk, ids, before, after, denominator } = play(
        terms,
        must(shares, ''),
        must(futures, ''),
        must(calls, ''),
      );
      ids.forEach((id, index) => {
        const lost = (before[index] as bigint) - (after[index] as bigint);
        const rounded = 3n * denominator;
        assert.ok(
          lost <= rounded && lost >= -rounded,
          `${desk.state.accounts.at(id)?.userId} lost ${lost}/${denominator}`,
        );
      });
    },
  );
  fc.assert(property, { numRuns: 60 });
});

test('a split without fractions changes no value by a paisa', () => {
  const terms: Terms = { kind: 'split', before: 1, after: 5, dividend: 0, close: 123_455, optionClose: 4_455 };
  const { before, after, desk, ids } = play(terms, [1_000, 37, 0], [2, -3, 1], [0, 4, -4]);
  assert.deepEqual(after, before);
  const rows = ids.flatMap((id) => [...accountOf(desk.state, id).positions.values()]);
  assert.deepEqual(
    rows.map((row) => [row.instrument, netQuantity(row)]),
    [
      [NEW_FUTURE, 2 * 2_500],
      [NEW_FUTURE, -3 * 2_500],
      [NEW_CALL, 4 * 2_500],
      [NEW_FUTURE, 2_500],
      [NEW_CALL, -4 * 2_500],
    ],
  );
  assert.equal(accountOf(desk.state, must(ids[0], 'a user')).holdings.get(share.isin)?.settled, 5_000);
});

test('a special dividend goes to the holders, and no contract gains or loses', () => {
  const { before, after, desk, ids } = play(SPECIAL, [1_000, 0, 0], [0, 2, -2], [0, 1, -1]);
  assert.deepEqual(after, before);
  const paid = desk.records.flatMap(({ events }) => events).filter((event) => event.type === 'DividendPaid');
  assert.deepEqual(
    paid.map(({ account, amount }) => [account, amount]),
    [[ids[0], 3_000_000]],
  );
  const [row] = accountOf(desk.state, must(ids[1], 'a user')).positions.values();
  assert.equal(row?.carriedBuyAmount, 1_000 * (100_000 - 3_000));
});

test('an ordinary dividend is cash and leaves contracts alone', () => {
  const terms = { ...SPECIAL, dividend: 1_999 };
  const exchange = new SmallExchange(terms);
  const desk = new Desk(exchange.ports);
  const account = desk.register('HOLDER');
  desk.hold(account, 100);
  desk.announce(terms);
  assert.equal(desk.state.corporateActions[0]?.adjustsContracts, false);
  const { cash } = accountOf(desk.state, account).books;
  desk.passTo(EX_DAY);
  assert.equal(accountOf(desk.state, account).books.cash, cash + 199_900);
  assert.equal(accountOf(desk.state, account).holdings.get(share.isin)?.settled, 100);
});

test('shares bought on the day before the ex-date take part, and keep settling', () => {
  const terms: Terms = { kind: 'bonus', before: 2, after: 3, dividend: 0, close: 100_001, optionClose: 5_000 };
  const exchange = new SmallExchange(terms);
  const desk = new Desk(exchange.ports);
  const account = desk.register('BUYER');
  desk.hold(account, 4);
  const order = { type: 'PlaceOrder', account, instrument: share.id, side: 'B', product: 'C', remarks: '' } as const;
  const words = { priceType: 'LMT', retention: 'DAY', quantity: quantity(3), price: price(100_005) } as const;
  desk.submit({ ...order, terms: { ...words, trigger: price(0) } });
  const paid = accountOf(desk.state, account).holdings.get(share.isin)?.cost ?? 0;
  desk.announce(terms);
  const cash = accountOf(desk.state, account).books.cash + accountOf(desk.state, account).books.delivery;
  desk.passTo(EX_DAY);
  const holding = must(accountOf(desk.state, account).holdings.get(share.isin), 'a holding');
  assert.deepEqual([holding.settled, holding.unsettled], [6, 4]);
  assert.equal(holding.cost, paid + 3 * 100_001, 'the cost of the shares stays');
  assert.equal(accountOf(desk.state, account).books.cash, cash + Math.round(100_001 / 3));
  desk.passTo((EX_DAY + 1) as IstDay);
  assert.deepEqual([holding.settled, holding.unsettled], [10, 0]);
});

test('pledged shares stay pledged and get a new value', () => {
  const terms: Terms = { kind: 'bonus', before: 1, after: 2, dividend: 0, close: 100_000, optionClose: 5_000 };
  const exchange = new SmallExchange(terms);
  const desk = new Desk(exchange.ports);
  const account = desk.register('PLEDGER');
  desk.hold(account, 100);
  desk.submit({ type: 'PledgeShares', account, instrument: share.id, quantity: quantity(60) });
  desk.announce(terms);
  desk.passTo(EX_DAY);
  const holding = must(accountOf(desk.state, account).holdings.get(share.isin), 'a holding');
  assert.equal(holding.pledged, 120);
  assert.equal(holding.collateral, accountOf(desk.state, account).books.collateral);
});

test('two strikes that become one keep one row, and the other position is closed for cash', () => {
  const terms: Terms = { kind: 'split', before: 1, after: 2, dividend: 0, close: 100_000, optionClose: 5_000 };
  const exchange = new SmallExchange(terms);
  const other = instrumentId('NFO', 702);
  const { instruments } = exchange.ports;
  const twin = contract(other, LOT, { kind: 'option', replacedBy: { id: NEW_CALL, from: EX_DAY } });
  const ports: Ports = {
    ...exchange.ports,
    instruments: { get: (id) => (id === other ? twin : instruments.get(id)) },
    market: { ...exchange.ports.market, previousClose: (id) => price(id === other ? 5_000 : exchange.priceOf(id)) },
  };
  const desk = new Desk(ports);
  const account = desk.register('WRITER');
  desk.trade(account, OLD_CALL, 2, 5_000);
  desk.trade(account, other, -1, 100_000);
  desk.announce(terms);
  desk.passTo(EX_DAY);
  const rows = [...accountOf(desk.state, account).positions.values()];
  assert.deepEqual(
    rows.map((row) => [row.instrument, netQuantity(row)]),
    [[NEW_CALL, 2_000]],
  );
  const events = desk.records.flatMap(({ events }) => events).filter((event) => event.type === 'PositionAdjusted');
  assert.deepEqual(
    events.map(({ cash }) => cash),
    [0, -500 * 5_000],
  );
});

test('announced, withdrawn and effective actions are the same after a snapshot and after a replay', () => {
  const terms: Terms = { kind: 'split', before: 2, after: 7, dividend: 0, close: 99_995, optionClose: 4_455 };
  const { desk } = play(terms, [1_001, 37], [2, -3], [-1, 4]);
  desk.announce({ ...SPECIAL }, (EX_DAY + 3) as IstDay);
  desk.announce({ ...SPECIAL }, (EX_DAY + 4) as IstDay);
  desk.submit({ type: 'WithdrawCorporateAction', isin: share.isin, exDay: (EX_DAY + 3) as IstDay });
  assert.deepEqual(
    desk.state.corporateActions.map(({ exDay }) => exDay),
    [EX_DAY, EX_DAY + 4],
  );
  const hash = stateHash(desk.state);
  assert.equal(stateHash(reloaded(desk.state)), hash);
  const replayed = emptyState();
  for (const record of desk.records) applyRecord(replayed, JSON.parse(JSON.stringify(record)));
  assert.equal(stateHash(replayed), hash);
});

test('an announcement is refused with the rule that it breaks, and changes nothing', () => {
  const exchange = new SmallExchange(SPECIAL);
  const desk = new Desk({ ...exchange.ports, days: { ...EVERY_DAY, isTradingDay: (day) => day !== EX_DAY + 5 } });
  const ruleOf = (terms: Partial<AnnounceCorporateAction>): string | undefined => {
    const action = { kind: 'split', before: 1, after: 2, dividend: price(0) } as const;
    const command = {
      type: 'AnnounceCorporateAction',
      listings: [share.id],
      exDay: EX_DAY,
      ...action,
      ...terms,
    } as const;
    const { events, reply } = desk.submit(command);
    assert.ok(reply.type !== 'Refused' || events.length === 0);
    return reply.type === 'Refused' ? reply.refusal.rule : undefined;
  };
  assert.equal(ruleOf({ listings: [OLD_FUTURE] }), 'NotTradable');
  assert.equal(ruleOf({ listings: [share.id, instrumentId('NSE', 5)] }), 'NotTradable');
  assert.equal(ruleOf({ exDay: DAY }), 'ExDayNotAhead');
  assert.equal(ruleOf({ exDay: (EX_DAY + 5) as IstDay }), 'NotATradingDay');
  for (const [before, after] of [
    [2, 1],
    [1, 1],
    [0, 5],
    [1, 101],
  ] as const)
    assert.equal(ruleOf({ before, after }), 'FactorNotAllowed');
  assert.equal(ruleOf({ dividend: price(5) }), 'FactorNotAllowed');
  assert.equal(ruleOf({ kind: 'dividend', after: 1 }), 'AmountNotPositive');
  assert.equal(ruleOf({ kind: 'dividend', after: 1, dividend: price(50_001) }), 'DividendTooLarge');
  assert.equal(ruleOf({ before: 4, after: 10 }), undefined);
  assert.deepEqual([desk.state.corporateActions[0]?.before, desk.state.corporateActions[0]?.after], [2, 5]);
  assert.equal(ruleOf({}), 'CorporateActionExists');
  for (let count = 2; count <= 15; count += 1)
    assert.equal(ruleOf({ exDay: (EX_DAY + 10 * count) as IstDay }), undefined);
  assert.equal(ruleOf({ exDay: (EX_DAY + 200) as IstDay }), 'TooManyAdjustments');
  const withdraw = (exDay: number) => {
    const { reply } = desk.submit({ type: 'WithdrawCorporateAction', isin: share.isin, exDay: exDay as IstDay });
    return reply.type === 'Refused' ? reply.refusal.rule : undefined;
  };
  assert.equal(withdraw(EX_DAY + 1), 'CorporateActionUnknown');
  desk.passTo(EX_DAY);
  assert.equal(withdraw(EX_DAY), 'ExDayNotAhead');
  assert.equal(withdraw(EX_DAY + 20), undefined);
});

test('an action is refused that would bring units or money beyond exact sums', () => {
  const split: Terms = { kind: 'split', before: 1, after: 100, dividend: 0, close: 100_000, optionClose: 4_500 };
  const desk = new Desk(new SmallExchange(split).ports);
  const holder = desk.register('HOLDER');
  const ruleOf = (terms: Terms, exDay: number): string | undefined => {
    const reply = desk.announce(terms, exDay as IstDay);
    return reply.type === 'Refused' ? reply.refusal.rule : undefined;
  };
  const creditOf = (units: number): string | undefined => {
    const shares = { instrument: share.id, quantity: quantity(units), cost: 0 as Paise };
    const { reply } = desk.submit({ type: 'CreditHolding', account: holder, ...shares });
    return reply.type === 'Refused' ? reply.refusal.rule : undefined;
  };
  for (const day of [1, 2, 3]) assert.equal(ruleOf(split, DAY + day), undefined);
  assert.equal(ruleOf(split, DAY + 4), 'TooManyShares', 'an account without shares may still buy some');
  assert.equal(creditOf(100_001), 'TooManyShares', 'the units that one unit becomes count');
  assert.equal(creditOf(100_000), undefined);
  desk.passTo((DAY + 3) as IstDay);
  assert.equal(accountOf(desk.state, holder).holdings.get(share.isin)?.settled, 100_000_000_000);
  assert.equal(ruleOf({ ...split, after: 2 }, DAY + 4), 'TooManyShares', 'held units count');
  const dividend: Terms = { ...split, kind: 'dividend', after: 1, dividend: 10_000 };
  for (const day of [4, 5, 6]) assert.equal(ruleOf(dividend, DAY + day), undefined);
  assert.equal(ruleOf(dividend, DAY + 7), 'TooMuchMoney', 'announced dividends count');
  desk.passTo((DAY + 6) as IstDay);
  assert.equal(ruleOf(dividend, DAY + 7), 'TooMuchMoney', 'paid dividends count');
});

test('a split counts the units of positions in the contracts of the share', () => {
  const split: Terms = { kind: 'split', before: 1, after: 100, dividend: 0, close: 100_000, optionClose: 4_500 };
  const desk = new Desk(new SmallExchange(split).ports);
  desk.trade(desk.register('BUYER'), OLD_FUTURE, 201, 100_000);
  for (const day of [1, 2]) assert.equal(desk.announce(split, (DAY + day) as IstDay).type, 'Done');
  const reply = desk.announce(split, (DAY + 3) as IstDay);
  assert.equal(reply.type === 'Refused' && reply.refusal.rule, 'TooManyShares');
});
