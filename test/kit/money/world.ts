import assert from 'node:assert/strict';
import type { AccountId, InstrumentId, OrderNumber } from '../../../src/base/ids.ts';
import { type Paise, type Price, paise, price, quantity } from '../../../src/base/money.ts';
import { type EpochMs, type IstDay, istInstant } from '../../../src/base/time.ts';
import type { Account } from '../../../src/core/account.ts';
import { dueBoundary } from '../../../src/core/broker/settlement/boundary.ts';
import type { Command, PlaceOrder } from '../../../src/core/command.ts';
import type { Event } from '../../../src/core/event.ts';
import type { Order, PriceType, Product, Retention, Side } from '../../../src/core/order.ts';
import { type DecisionPorts, type Ports, portsAt } from '../../../src/core/ports.ts';
import type { Refusal } from '../../../src/core/refusals/refusal.ts';
import type { Reply } from '../../../src/core/reply.ts';
import { accountOf, emptyState, type State } from '../../../src/core/state.ts';
import { type Step, step } from '../../../src/core/step.ts';

/** One record as a journal would keep it. */
export interface KeptRecord {
  readonly seq: number;
  readonly at: EpochMs;
  readonly command: Command;
  readonly events: readonly Event[];
  readonly reply: Reply;
}

/** The terms that a test gives for an order; the rest is the usual. Prices in paise. */
export interface OrderWords {
  readonly by: AccountId;
  readonly of: InstrumentId;
  readonly side: Side;
  readonly units: number;
  readonly at?: number;
  readonly product?: Product;
  readonly type?: PriceType;
  readonly trigger?: number;
  readonly retention?: Retention;
}

/** A core with a clock that a test moves: it numbers commands as the engine does and keeps their records. */
export class World {
  state: State = emptyState();
  at: EpochMs;
  readonly records: KeptRecord[] = [];
  private readonly ports: Ports;

  constructor(ports: Ports, day: IstDay) {
    this.ports = ports;
    this.at = istInstant(day, 36_000_000);
    this.submit({ type: 'RollDay', day });
  }

  submit(command: Command): Step {
    const seq = this.state.seq + 1;
    const done = step(this.state, this.ports, { seq, at: this.at, command });
    if (done.events.length > 0) this.records.push({ seq, at: this.at, command, ...done });
    return done;
  }

  /** The ports of a decision that is made now. */
  portsNow(): DecisionPorts {
    return portsAt(this.ports, this.state, this.at);
  }

  user(userId: string, cash: number): AccountId {
    const { reply } = this.submit({
      type: 'RegisterUser',
      userId,
      name: userId,
      email: `${userId}@example.com`,
      sealedCredentials: 'sealed',
      usesTotp: false,
      demo: true,
    });
    assert.equal(reply.type, 'UserRegistered');
    const account = (reply as Extract<Reply, { type: 'UserRegistered' }>).account;
    if (cash > 0) this.submit({ type: 'DepositCash', account, amount: paise(cash), opening: true });
    return account;
  }

  give(account: AccountId, instrument: InstrumentId, units: number, cost: number): void {
    const command = {
      type: 'CreditHolding',
      account,
      instrument,
      quantity: quantity(units),
      cost: paise(cost),
    } as const;
    assert.equal(this.submit(command).reply.type, 'Done');
  }

  place(words: OrderWords): Order {
    const { reply } = this.submit(placement(words));
    assert.equal(reply.type, 'OrderPlaced');
    return this.order((reply as Extract<Reply, { type: 'OrderPlaced' }>).order);
  }

  /** The refusal that an order was rejected with; fails when it was not. */
  refusal(words: OrderWords): Refusal {
    const { events, reply } = this.submit(placement(words));
    assert.equal(reply.type, 'OrderPlaced', 'the broker and the exchange number an order before they refuse it');
    const rejected = events.find((event) => event.type === 'OrderRejected');
    assert.ok(rejected, `expected a refusal, not ${JSON.stringify(events)}`);
    assert.equal(this.order(rejected.order).status, 'Rejected');
    return rejected.refusal;
  }

  order(number: OrderNumber): Order {
    const order = this.state.orders.get(number);
    assert.ok(order, `there is no order ${number}`);
    return order;
  }

  account(id: AccountId): Account {
    return accountOf(this.state, id);
  }

  nextDay(): void {
    this.passTo(istInstant((this.state.day + 1) as IstDay, 36_000_000));
  }

  /** Lets time pass: days end and begin on the way, as an engine would have it. */
  passTo(at: EpochMs): void {
    const days = this.ports.days;
    for (let due = dueBoundary(this.state, days, at); due !== undefined; due = dueBoundary(this.state, days, at)) {
      this.at = Math.max(this.at, due.at) as EpochMs;
      this.submit(due.command);
    }
    this.at = at;
  }
}

export function placement(words: OrderWords): PlaceOrder {
  const {
    by,
    of,
    side,
    units,
    at = 0,
    product = 'M',
    type = at > 0 ? 'LMT' : 'MKT',
    trigger = 0,
    retention = 'DAY',
  } = words;
  return {
    type: 'PlaceOrder',
    account: by,
    instrument: of,
    side,
    product,
    terms: {
      priceType: type,
      retention,
      quantity: quantity(units),
      price: price(at),
      trigger: price(trigger),
    },
    remarks: '',
  };
}

export const rupees = (amount: number): Paise => paise(Math.round(amount * 100));
export const at = (amount: number): Price => price(Math.round(amount * 100));
