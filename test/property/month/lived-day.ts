import { must } from '../../../src/base/assert.ts';
import type { AccountId, InstrumentId, OrderNumber, Tick } from '../../../src/base/ids.ts';
import { type Paise, type Price, type Quantity, ZERO_PRICE } from '../../../src/base/money.ts';
import { type EpochMs, type IstDay, istInstant, parseIsoDay, SECOND_MS } from '../../../src/base/time.ts';
import type { Command } from '../../../src/core/command.ts';
import type { Event } from '../../../src/core/event.ts';
import { type Instrument, isDerivative } from '../../../src/core/instrument.ts';
import type { MarketData } from '../../../src/core/market.ts';
import type { Order, OrderTerms, Side } from '../../../src/core/order.ts';
import type { Ports } from '../../../src/core/ports.ts';
import type { Reply } from '../../../src/core/reply.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { type FullQuote, fullQuote } from '../../../src/views/quote.ts';
import { unasked } from '../../kit/unasked.ts';
import type { ExchangeMonth } from './exchange-month.ts';

const CASH = 1_000_000_000_00 as Paise;

/** A day of the month that an engine lives second by second, for a user with money enough for anything. */
export class LivedDay {
  readonly market: MarketData;
  readonly live = LIVE.empty();
  private readonly journal = new MemoryJournal();
  private readonly ports: Ports;
  private readonly day: IstDay;
  private engine: Engine;
  private now: EpochMs;

  constructor(
    month: ExchangeMonth,
    date: string,
    clock: string,
    market: MarketData = month.market,
    strictTrigger = true,
  ) {
    this.ports = { ...month.ports, market, strictTrigger };
    this.market = market;
    this.day = must(parseIsoDay(date), 'a date');
    this.now = this.at(clock);
    this.engine = this.started();
  }

  at(clock: string): EpochMs {
    const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
    return istInstant(this.day, ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS);
  }

  tickAt(clock: string): Tick {
    return this.market.tickAt(this.at(clock));
  }

  async open(): Promise<void> {
    const names = { userId: 'AB1234', name: 'A', email: 'a@example.org', sealedCredentials: 'sealed' };
    await this.submit({ ...names, type: 'RegisterUser', usesTotp: false, demo: false });
    await this.submit({ type: 'DepositCash', account: 0 as AccountId, amount: CASH, opening: true });
  }

  async submit(command: Command): Promise<Reply> {
    return this.engine.submit(unasked(command));
  }

  /** Places an order and gives it as the book has it then. */
  async place({ id, lot, ...rest }: Instrument, side: Side, terms: Partial<OrderTerms>): Promise<Order> {
    await this.submit({
      type: 'PlaceOrder',
      account: 0 as AccountId,
      instrument: id,
      side,
      product: isDerivative({ id, lot, ...rest } as Instrument) ? 'M' : 'I',
      terms: {
        priceType: 'LMT',
        retention: 'DAY',
        quantity: lot as Quantity,
        price: ZERO_PRICE,
        trigger: ZERO_PRICE,
        ...terms,
      },
      remarks: '',
    });
    return this.order(this.live.state.lastOrder);
  }

  order(number: OrderNumber): Order {
    return must(this.live.state.orders.get(number), 'the order is there');
  }

  suspend(instrument: InstrumentId, on: boolean): Promise<Reply> {
    return this.submit({
      type: 'SetSwitch',
      target: { kind: 'Suspension', instrument },
      on,
      by: 'asha',
      why: 'a test',
    });
  }

  passTo(clock: string): void {
    while (this.now < this.at(clock)) {
      this.now = (this.now + SECOND_MS) as EpochMs;
      this.engine.passSecond();
    }
  }

  /** Ends the engine and begins with another on its state at a later time. */
  async restartAt(clock: string): Promise<void> {
    await this.engine.drain();
    this.now = this.at(clock);
    this.engine = this.started();
    this.engine.passSecond();
  }

  /** The events of all records, once they are durable. */
  async events(): Promise<Event[]> {
    await this.engine.drain();
    return [...this.journal.groups(0)].flatMap(decodeGroup).flatMap(({ events }) => events);
  }

  quote(id: InstrumentId): FullQuote {
    const { state, views } = this.live;
    return fullQuote(state, views, this.market, id, this.market.tickAt(this.now));
  }

  private started(): Engine {
    const failStop = (error: Error): never => {
      throw error;
    };
    const { live, journal, ports } = this;
    return new Engine({ live, journal, ports, clock: () => this.now, elapsed: () => 0, failStop });
  }
}

/** A price some thousandths away from another, rounded down to the tick. */
export function near(price: Price, thousandths: number, { tick }: Instrument): Price {
  return (Math.floor((price * (1 + thousandths / 1_000)) / tick) * tick) as Price;
}
