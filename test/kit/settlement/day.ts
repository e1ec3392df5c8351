import assert from 'node:assert/strict';
import type { AccountId, InstrumentId } from '../../../src/base/ids.ts';
import { type EpochMs, type IstDay, istInstant, SECOND_MS } from '../../../src/base/time.ts';
import { DAY_END_STEPS, type DayEndStep } from '../../../src/core/broker/settlement/day-end-steps.ts';
import type { Event } from '../../../src/core/event.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { type DecisionPorts, type Ports, portsAt } from '../../../src/core/ports.ts';
import type { SquareOffSegment } from '../../../src/core/trading-days.ts';
import { FIRST_DAY } from '../money/listed.ts';
import { StillMarket } from '../money/still-market.ts';
import { type OrderWords, World } from '../money/world.ts';
import { testPorts } from '../ports.ts';
import { RULES } from '../rules.ts';
import { closingCommands } from './closing-commands.ts';
import { listed } from './expiring.ts';

export const CRORE = 1_000_000_000;
const TEN = 36_000_000;

/** A trading day over a market that a test holds in its hands. Everything that happens is checked whole. */
export class Day {
  readonly market = new StillMarket();
  readonly ports: Ports;
  readonly world: World;

  constructor(more: Partial<Ports> = {}) {
    this.ports = testPorts({ instruments: listed, market: this.market, ...more });
    this.world = new World(this.ports, FIRST_DAY);
  }

  /** With the charges that the service takes. */
  static charged(): Day {
    return new Day({ charges: RULES.charges });
  }

  /** One price for all, a moment later: bid, ask, last and close, in rupees. */
  quote(id: InstrumentId, rupees: number): void {
    this.world.at = (this.world.at + 2 * SECOND_MS) as EpochMs;
    const at = Math.round(rupees * 100);
    this.market.quotes.set(id, { bid: at, ask: at, last: at, close: at });
  }

  /** A trade that fills at once, at the quoted price. */
  trade(words: OrderWords): void {
    const order = this.world.place(words);
    assert.equal(order.status, 'Complete', JSON.stringify(this.refusalOf()));
    this.check();
  }

  squareOff(segment: SquareOffSegment): readonly Event[] {
    const { events } = this.world.submit({ type: 'SquareOff', day: this.world.state.day, segment });
    this.check();
    return events;
  }

  /** The ports of a decision of this moment. */
  desk(): DecisionPorts {
    const { world, ports } = this;
    return portsAt(ports, world.state, world.at);
  }

  /** Places what closes the positions, as the engine does after a cut-off. Gives how many orders that took. */
  placeCounterOrders(): number {
    const { world } = this;
    let placed = 0;
    for (const command of closingCommands(world.state, this.desk())) {
      const { reply } = world.submit(command);
      this.check();
      if (command.type !== 'PlaceOrder') continue;
      assert.equal(reply.type, 'OrderPlaced');
      placed += 1;
    }
    return placed;
  }

  step(step: DayEndStep): readonly Event[] {
    const { day } = this.world.state;
    this.world.at = Math.max(this.world.at, istInstant((day + 1) as IstDay) - 1) as EpochMs;
    const { events } = this.world.submit({ type: 'EndDay', day, step });
    this.check();
    return events;
  }

  /** All steps of the day's end, and what they did. */
  end(): Event[] {
    return DAY_END_STEPS.flatMap((step) => this.step(step));
  }

  /** The next day, at ten in the morning. */
  next(): Event[] {
    const events = this.end();
    this.world.passTo(istInstant((this.world.state.day + 1) as IstDay, TEN));
    this.check();
    return events;
  }

  check(): void {
    checkInvariants(this.world.state, this.ports);
  }

  cash(account: AccountId): number {
    return this.world.account(account).books.cash;
  }

  private refusalOf(): Event | undefined {
    return this.world.records.at(-1)?.events.find((event) => event.type === 'OrderRejected');
  }
}

export function ofType<Type extends Event['type']>(
  events: readonly Event[],
  type: Type,
): Extract<Event, { type: Type }>[] {
  return events.filter((event): event is Extract<Event, { type: Type }> => event.type === type);
}
