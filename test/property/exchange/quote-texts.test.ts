import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId, OrderNumber } from '../../../src/base/ids.ts';
import { floorToTick, type Paise, type Price, type Quantity, ZERO_PRICE } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { type EpochMs, istInstant, parseIsoDay, SECOND_MS } from '../../../src/base/time.ts';
import type { Command } from '../../../src/core/command.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { Ports } from '../../../src/core/ports.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { QuoteTexts } from '../../../src/gateway/endpoints/market/quote-texts.ts';
import { shownMarket } from '../../../src/gateway/scenarios/shown-market.ts';
import { ExchangeMonth } from '../month/exchange-month.ts';

/** A kept text of a quote is the text that would be written now, whatever was decided meanwhile. */

const DAY = must(parseIsoDay('2026-11-20'), 'a Friday');
const month = new ExchangeMonth(20_261_120);
const USERS = [0, 1] as AccountId[];
/** Seconds of the day in which commands come: while orders gather for the open, and in continuous trading. */
const SECONDS = [9 * 3_600 + 2 * 60, 9 * 3_600 + 5 * 60, 11 * 3_600, 11 * 3_600 + 1, 14 * 3_600];
const COMMANDS_A_SECOND = 150;
const GROUNDS = { by: 'asha', why: 'a test' } as const;

function at(second: number): EpochMs {
  return istInstant(DAY, second * SECOND_MS);
}

/** Two users with money, and what they trade. */
class Trading {
  readonly live = LIVE.empty();
  readonly market = shownMarket(month.market, () => this.live.state.scenarioRules);
  readonly traded: readonly Instrument[];
  private readonly ports: Ports = month.ports;
  private readonly random: Random;
  private now = at(8 * 3_600);

  constructor(seed: number) {
    this.random = new Random(seed);
    const noon = at(43_200);
    this.traded = [...month.shares(noon), ...month.contracts(noon).slice(0, 3)];
    this.take({ type: 'RollDay', day: DAY });
    for (const account of USERS) {
      const names = { userId: `USER${account}`, name: 'A', email: 'a@example.org', sealedCredentials: 'sealed' };
      this.take({ ...names, type: 'RegisterUser', usesTotp: false, demo: false });
      this.take({ type: 'DepositCash', account, amount: 1_000_000_000_00 as Paise, opening: true });
    }
  }

  take(command: Command): void {
    this.live.step(this.ports, { seq: this.live.seq + 1, at: this.now, command });
  }

  /** A random command at a second of the day. */
  next(second: number): void {
    this.now = Math.max(this.now, at(second)) as EpochMs;
    const { random } = this;
    const draw = random.below(1_000);
    const { id } = random.pick(this.traded);
    if (draw < 10) return this.halt();
    if (draw < 20)
      return this.take({
        type: 'SetScenario',
        effect: 'upper-circuit',
        value: 60,
        count: 1,
        instrument: id,
        ...GROUNDS,
      });
    if (draw < 40) return this.take({ type: 'ClearScenarios', ...GROUNDS });
    if (draw < 200) return this.cancel();
    if (draw < 400) return this.take({ type: 'MoveMarket', instrument: id, tick: month.market.tickAt(this.now) });
    this.place();
  }

  /** A halt of the market whose reopening gathers orders now, or the end of one. */
  private halt(): void {
    const tick = month.market.tickAt(this.now);
    const until = (this.live.state.breaker.until > tick ? tick : tick + 10 * 60) as typeof tick;
    const tripped = { type: 'BreakerTripped', index: must(this.traded[0], 'a share').id, stage: 10, until } as const;
    this.live.fold({ seq: this.live.seq + 1, at: this.now, command: { type: 'CheckBreaker' }, events: [tripped] });
  }

  private cancel(): void {
    const orders = [...this.live.state.orders.keys()].slice(-20);
    const order = orders.length === 0 ? (0 as OrderNumber) : this.random.pick(orders);
    this.take({ type: 'CancelOrder', account: this.random.pick(USERS), order });
  }

  private place(): void {
    const { random } = this;
    const { id, lot, tick, kind } = random.pick(this.traded);
    const side = random.pick(['B', 'S'] as const);
    const { price: last } = month.market.lastPrint(id, month.market.tickAt(this.now));
    const away = (side === 'B' ? -1 : 1) * random.pick([-4, -1, 0, 1, 2, 4, 10]);
    this.take({
      type: 'PlaceOrder',
      account: random.pick(USERS),
      instrument: id,
      side,
      product: kind === 'equity' ? 'I' : 'M',
      terms: {
        priceType: 'LMT',
        retention: random.chance(20) ? 'IOC' : 'DAY',
        quantity: (lot * random.between(1, 400)) as Quantity,
        price: Math.max(floorToTick(last * (1 + away / 2_000), tick), tick) as Price,
        trigger: ZERO_PRICE,
      },
      remarks: '',
    });
  }

  /** The instruments of the traded ones whose kept text is not the one that is written now. */
  stale(texts: QuoteTexts): Instrument[] {
    const { state, views } = this.live;
    return this.traded.filter((instrument) => {
      const named = { instrument, answeredSymbol: instrument.tradingSymbol };
      const fresh = new QuoteTexts(this.market).textOf(state, views, named, this.now);
      return texts.textOf(state, views, named, this.now) !== fresh;
    });
  }
}

/** Asks for all quotes after each of many random commands: the first stale ones, and the texts with their counts. */
function run(
  seed: number,
  spoil: (live: Live) => void = () => {},
): { stale: readonly Instrument[]; texts: QuoteTexts } {
  const trading = new Trading(seed);
  const texts = new QuoteTexts(trading.market);
  for (const second of SECONDS) {
    for (let number = 0; number < COMMANDS_A_SECOND; number += 1) {
      trading.next(second);
      spoil(trading.live);
      const stale = trading.stale(texts);
      if (stale.length > 0) return { stale, texts };
    }
  }
  return { stale: [], texts };
}

describe('the kept text of a quote', () => {
  for (const seed of [1, 2, 3]) {
    it(`is the text that is written now, after each of many commands: seed ${seed}`, () => {
      const { stale, texts } = run(seed);
      assert.deepEqual(stale, []);
      const { kept, written } = texts.counts;
      assert.ok(kept > written, `${kept} texts from memory, ${written} written, a record before each reading`);
    });
  }

  it('is seen to be stale by the same comparison when the number of a book stays as it is', () => {
    const { stale } = run(1, ({ state }) => {
      for (const book of state.books.values()) book.changedAfter = 0;
    });
    assert.notEqual(stale.length, 0);
  });

  it('is seen to be stale by the same comparison when a halt leaves the ground as it is', () => {
    const lasting = { stage: 0, until: 0 };
    const { stale } = run(1, ({ state }) => {
      Object.assign(lasting, state.breaker);
      state.breaker = lasting as typeof state.breaker;
    });
    assert.notEqual(stale.length, 0);
  });

  it('is answered from memory while other books are written to', () => {
    const trading = new Trading(7);
    const [share, other] = [must(trading.traded[0], 'a share'), must(trading.traded[1], 'another')];
    const texts = new QuoteTexts(trading.market);
    const named = { instrument: share, answeredSymbol: share.tradingSymbol };
    const terms = { priceType: 'LMT', retention: 'DAY', quantity: 1 as Quantity, trigger: ZERO_PRICE } as const;
    const buy = (instrument: Instrument): void => {
      const { price: last } = month.market.lastPrint(instrument.id, month.market.tickAt(at(40_000)));
      const price = floorToTick(last * 0.99, instrument.tick) as Price;
      trading.take({
        type: 'PlaceOrder',
        account: 0 as AccountId,
        instrument: instrument.id,
        side: 'B',
        product: 'I',
        terms: { ...terms, price },
        remarks: '',
      });
    };
    trading.next(40_000);
    buy(share);
    for (let write = 0; write < 1_000; write += 1) {
      buy(other);
      texts.textOf(trading.live.state, trading.live.views, named, at(40_000));
    }
    assert.ok(trading.live.state.books.has(share.id));
    assert.deepEqual(texts.counts, { kept: 999, written: 1 });
  });
});
