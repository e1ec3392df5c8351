import assert from 'node:assert/strict';
import type { AccountId, InstrumentId, OrderNumber, Tick } from '../../src/base/ids.ts';
import { amountOf, type Paise, type Price, type Quantity } from '../../src/base/money.ts';
import { type EpochMs, type IstDay, istInstant, MINUTE_MS, SECOND_MS } from '../../src/base/time.ts';
import type { Account } from '../../src/core/account.ts';
import { type Boundary, dueBoundary } from '../../src/core/broker/settlement/boundary.ts';
import type { Command, ConvertPosition } from '../../src/core/command.ts';
import type { Event } from '../../src/core/event.ts';
import type { Instruments } from '../../src/core/instrument.ts';
import type { DepthLevel } from '../../src/core/market.ts';
import type { OrderTerms, Product, Side } from '../../src/core/order.ts';
import { type Ports, portsAt } from '../../src/core/ports.ts';
import type { Reply } from '../../src/core/reply.ts';
import { accountOf, emptyState, orderOf, type State } from '../../src/core/state.ts';
import { step } from '../../src/core/step.ts';
import { SQUARE_OFF_SEGMENTS, type SquareOffSegment } from '../../src/core/trading-days.ts';
import { applyToViews, emptyViews, type Views } from '../../src/views/views.ts';
import { testPorts } from '../kit/ports.ts';
import { RULES } from '../kit/rules.ts';
import { closingCommands } from '../kit/settlement/closing-commands.ts';
import { type Cast, FIRST_DAY, type Role } from './cast.ts';
import { StoryMarket } from './story-market.ts';

const TEN_IN_THE_MORNING = 36_000_000;

const MINUTES_OF_CUT_OFF: Readonly<Record<SquareOffSegment, number>> = {
  UnfundedDeliveries: 14 * 60 + 30,
  SharesWithContracts: 15 * 60 + 10,
  OtherShares: 15 * 60 + 20,
  Contracts: 15 * 60 + 30,
  ExpiringContracts: 15 * 60 + 30,
};

/** Every day of a story trades, and squares off at the exchange's times. Source: market-rules R2.23, R7.4. */
const CUT_OFFS = {
  isTradingDay: () => true,
  squareOffTime: (segment: SquareOffSegment) => MINUTES_OF_CUT_OFF[segment] * MINUTE_MS,
};

/** Units at a price. */
export interface Lot {
  readonly price: Price;
  readonly quantity: Quantity;
}

/**
 * The core on which a story is played: its instruments and users by name, their orders by the names that the story
 * gives them.
 */
export class Stage {
  readonly state: State = emptyState();
  readonly views: Views = emptyViews();
  readonly market: StoryMarket;
  readonly cast: Cast;
  readonly instruments: Instruments;
  /** The last action, and the answer to it. */
  events: readonly Event[] = [];
  reply: Reply | undefined;
  private readonly ports: Ports;
  private readonly orders = new Map<string, OrderNumber>();
  private at: EpochMs;
  private generation = 0;

  constructor(cast: Cast) {
    this.cast = cast;
    this.market = new StoryMarket(cast);
    this.instruments = { get: (id) => this.roleOf(id).instrument };
    this.ports = testPorts({
      instruments: this.instruments,
      market: this.market,
      days: CUT_OFFS,
      charges: RULES.charges,
    });
    this.at = istInstant(FIRST_DAY, TEN_IN_THE_MORNING);
    this.submit({ type: 'RollDay', day: FIRST_DAY });
  }

  get tick(): Tick {
    return this.market.tickAt(this.at);
  }

  enter(user: string, cash: Paise): void {
    const words = { userId: user, name: user, email: `${user}@example.org`, sealedCredentials: 'sealed' };
    this.submit({ ...words, type: 'RegisterUser', usesTotp: false, demo: true });
    this.submit({ type: 'DepositCash', account: this.accountId(user), amount: cash, opening: true });
  }

  give(user: string, what: string | undefined, { price, quantity }: Lot): void {
    const account = this.accountId(user);
    const cost = amountOf(price, quantity);
    this.submit({ type: 'CreditHolding', account, instrument: this.instrument(what), quantity, cost });
  }

  /** A second later the market shows new levels. */
  showDepth(what: string | undefined, bids: readonly Lot[], asks: readonly Lot[]): void {
    this.generation += 1;
    const level = (lot: Lot): DepthLevel => ({ ...lot, orders: 1, generation: this.generation });
    const id = this.instrument(what);
    this.passSecond(id, (tick) => this.market.show(id, tick, { bids: bids.map(level), asks: asks.map(level) }));
  }

  /** A second later the market trades with itself; its levels stay as they were. */
  trade(what: string | undefined, aggressor: Side, lot: Lot): void {
    const id = this.instrument(what);
    this.passSecond(id, (tick) => this.market.tradeOnce(id, { ...lot, tick, aggressor }));
  }

  passSecond(id = this.instrument(undefined), script: (tick: Tick) => void = () => {}): void {
    this.at = (this.at + SECOND_MS) as EpochMs;
    script(this.tick);
    this.submit({ type: 'MoveMarket', instrument: id, tick: this.tick });
  }

  /** Lets the day go on to a time of it, in milliseconds since midnight; what is due on the way is squared off. */
  waitUntil(timeMs: number): void {
    const { day } = this.state;
    const at = istInstant(day, timeMs);
    assert.ok(at > this.at, 'a story does not go back in time');
    for (const segment of SQUARE_OFF_SEGMENTS) {
      const due = istInstant(day, CUT_OFFS.squareOffTime(segment));
      if (due <= this.at || due > at) continue;
      this.at = due;
      this.submit({ type: 'SquareOff', day, segment });
      const ports = portsAt(this.ports, this.state, this.at);
      for (const command of closingCommands(this.state, ports)) this.submit(command);
    }
    this.at = at;
  }

  /** The steps that the passing of a day brings first. */
  private due(at: EpochMs): Boundary | undefined {
    return dueBoundary(this.state, CUT_OFFS, at);
  }

  passDay(): void {
    const day = (this.state.day + 1) as IstDay;
    const morning = istInstant(day, TEN_IN_THE_MORNING);
    for (let due = this.due(morning); due !== undefined; due = this.due(morning)) {
      this.at = Math.max(this.at, due.at) as EpochMs;
      this.submit(due.command);
    }
    this.at = morning;
  }

  place(name: string, user: string, what: string | undefined, side: Side, product: Product, terms: OrderTerms): void {
    assert.ok(!this.orders.has(name), `there is an order ${name} already`);
    const account = this.accountId(user);
    const instrument = this.instrument(what);
    this.submit({ type: 'PlaceOrder', account, instrument, side, product, terms, remarks: name });
    assert.equal(this.reply?.type, 'OrderPlaced');
    if (this.reply?.type === 'OrderPlaced') this.orders.set(name, this.reply.order);
  }

  change(user: string, name: string, terms: Partial<OrderTerms>): void {
    const order = this.orderNumber(name);
    const whole = { ...orderOf(this.state, order).terms, ...terms };
    this.submit({ type: 'ModifyOrder', account: this.accountId(user), order, terms: whole });
  }

  cancel(user: string, name: string): void {
    this.submit({ type: 'CancelOrder', account: this.accountId(user), order: this.orderNumber(name) });
  }

  convert(
    user: string,
    what: string | undefined,
    terms: Omit<ConvertPosition, 'type' | 'account' | 'instrument'>,
  ): void {
    const account = this.accountId(user);
    this.submit({ type: 'ConvertPosition', account, instrument: this.instrument(what), ...terms });
  }

  account(user: string): Account {
    return accountOf(this.state, this.accountId(user));
  }

  userOf(account: AccountId): string {
    return accountOf(this.state, account).userId;
  }

  isOrder(name: string): boolean {
    return this.orders.has(name);
  }

  orderNumber(name: string): OrderNumber {
    const number = this.orders.get(name);
    assert.ok(number !== undefined, `there is no order ${name}`);
    return number;
  }

  nameOf(number: OrderNumber): string {
    const found = [...this.orders].find(([, order]) => order === number);
    assert.ok(found, `order ${number} has no name`);
    return found[0];
  }

  /** The instrument that a line names; the first of the cast when it names none. */
  instrument(name: string | undefined): InstrumentId {
    if (name === undefined) return this.cast[0].instrument.id;
    const role = this.cast.find((one) => one.name === name);
    assert.ok(role !== undefined, `there is no instrument ${name}`);
    return role.instrument.id;
  }

  roleOf(id: InstrumentId): Role {
    const role = this.cast.find((one) => one.instrument.id === id);
    assert.ok(role !== undefined, `instrument ${id} is not in the cast`);
    return role;
  }

  private accountId(user: string): AccountId {
    const account = this.state.accountByUser.get(user);
    assert.ok(account !== undefined, `there is no user ${user}`);
    return account;
  }

  private submit(command: Command): void {
    const { state, ports, at } = this;
    const { events, reply } = step(state, ports, { seq: state.seq + 1, at, command });
    applyToViews(this.views, state, at, events);
    this.events = events;
    this.reply = reply;
  }
}
