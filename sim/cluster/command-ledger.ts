import { assert } from '../../src/base/assert.ts';
import type { OrderNumber } from '../../src/base/ids.ts';
import type { PlaceOrder } from '../../src/core/command.ts';
import type { Reply } from '../../src/core/reply.ts';
import type { JournalRecord } from '../../src/journal/record.ts';

interface Sent {
  /** How often it was sent, and how often the answer was that nothing was done. */
  times: number;
  refused: number;
  /** The numbers in the answers: a key that is sent again on another day places another order. */
  readonly orders: Set<OrderNumber>;
}

interface Found {
  readonly order: OrderNumber;
  /** The day of the history, counted from its first. */
  readonly day: number;
}

/**
 * Every placement that clients sent to any leader, by its remark, which no other one has: one that was acknowledged is
 * in the final history once a day, one that was refused is not in it, and one without an answer is in it at most once.
 * Source: reliability I29, P1, P11.
 */
export class CommandLedger {
  private readonly placements = new Map<string, Sent>();
  acknowledgements = 0;

  sent({ remarks }: PlaceOrder): void {
    const known = this.placements.get(remarks) ?? { times: 0, refused: 0, orders: new Set<OrderNumber>() };
    known.times += 1;
    this.placements.set(remarks, known);
  }

  refused({ remarks }: PlaceOrder): void {
    const known = this.placements.get(remarks);
    if (known !== undefined) known.refused += 1;
  }

  answered(command: PlaceOrder, reply: Reply): void {
    if (reply.type === 'Refused') {
      this.refused(command);
      return;
    }
    assert(reply.type === 'OrderPlaced', 'a placement is answered with a number');
    const known = this.placements.get(command.remarks);
    assert(known !== undefined, `${command.remarks} was sent`);
    known.orders.add(reply.order);
    this.acknowledgements += 1;
  }

  /** Fails when the final history is not as the answers said. */
  check(records: readonly JournalRecord[]): void {
    const found = new Map<string, Found[]>();
    let day = 0;
    for (const { command, events } of records) {
      for (const event of events) {
        if (event.type === 'DayRolled') day += 1;
        if (command.type !== 'PlaceOrder' || event.type !== 'OrderReceived') continue;
        found.set(command.remarks, [...(found.get(command.remarks) ?? []), { order: event.order, day }]);
      }
    }
    for (const [remarks, { times, refused, orders: answered }] of this.placements) {
      const all = found.get(remarks) ?? [];
      const orders = all.map((one) => one.order);
      // A key is known for the day of its placement.
      const days = new Set(all.map((one) => one.day));
      assert(orders.length === days.size, `placement ${remarks} is in the history as orders ${orders} in one day`);
      for (const order of answered) {
        assert(
          orders.includes(order),
          `placement ${remarks} was acknowledged as ${order} and is in the history as [${orders}]`,
        );
      }
      if (answered.size === 0 && refused === times) {
        assert(orders.length === 0, `placement ${remarks} was refused and is in the history`);
      }
    }
  }
}
