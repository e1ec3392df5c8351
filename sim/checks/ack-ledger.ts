import { assert } from '../../src/base/assert.ts';
import type { OrderNumber } from '../../src/base/ids.ts';
import type { Command, ModifyOrder, PlaceOrder } from '../../src/core/command.ts';
import type { Reply } from '../../src/core/reply.ts';
import type { State } from '../../src/core/state.ts';

interface Placed {
  readonly command: PlaceOrder;
  cancelled: boolean;
}

interface Wished {
  readonly command: ModifyOrder;
  acknowledged: boolean;
}

/**
 * The replies that clients got, kept by them: every acknowledgement holds for ever, after every later start. Orders of
 * another day are forgotten with the day. Source: reliability I29, P1, P11.
 */
export class AckLedger {
  /** The last record that an acknowledgement named. */
  lastSeq = 0;
  private day = 0;
  private readonly orders = new Map<OrderNumber, Placed>();
  /** Modifications that were sent, by order, the newest last. */
  private readonly wishes = new Map<OrderNumber, Wished[]>();
  /** Sessions whose end was asked for, and those whose end was acknowledged. */
  private readonly closing = new Set<string>();
  private readonly closed = new Set<string>();
  private readonly opened = new Map<string, number>();
  private registered = 0;

  /** A command is on its way: from here on it may have happened. */
  sent(command: Command, day: number): void {
    if (day !== this.day) this.nextDay(day);
    if (command.type === 'ModifyOrder') {
      const wishes = this.wishes.get(command.order) ?? [];
      this.wishes.set(command.order, wishes);
      wishes.push({ command, acknowledged: false });
    }
    if (command.type === 'CloseSession') {
      this.closing.add(command.tokenDigest);
      this.opened.delete(command.tokenDigest);
    }
  }

  acknowledged(command: Command, reply: Reply, seq: number, day: number): void {
    this.lastSeq = Math.max(this.lastSeq, seq);
    if (day !== this.day || reply.type === 'Refused') return;
    switch (command.type) {
      case 'PlaceOrder':
        this.placed(command, reply);
        break;
      case 'ModifyOrder': {
        const wish = this.wishes.get(command.order)?.find((one) => one.command === command);
        if (wish !== undefined) wish.acknowledged = true;
        break;
      }
      case 'CancelOrder': {
        const order = this.orders.get(command.order);
        if (order !== undefined && reply.type === 'OrderCancelled') order.cancelled = true;
        break;
      }
      case 'RegisterUser':
        this.registered += 1;
        break;
      default:
        this.session(command);
    }
  }

  private placed(command: PlaceOrder, reply: Reply): void {
    assert(reply.type === 'OrderPlaced', 'a placement is answered with a number');
    const known = this.orders.get(reply.order);
    if (known !== undefined) {
      const key = command.idempotency?.key;
      assert(
        key !== undefined && known.command.idempotency?.key === key,
        `order ${reply.order} is named in one answer`,
      );
      return;
    }
    this.orders.set(reply.order, { command, cancelled: false });
  }

  private session(command: Command): void {
    if (command.type === 'CloseSession') this.closed.add(command.tokenDigest);
    if (command.type !== 'OpenSession' || this.closing.has(command.tokenDigest)) return;
    this.opened.set(command.tokenDigest, command.account);
  }

  private nextDay(day: number): void {
    this.day = day;
    this.orders.clear();
    this.wishes.clear();
  }

  /**
   * Fails when something that was acknowledged to a client is not so. `ended` names the sessions that ended by
   * themselves.
   */
  check(state: State, ended: ReadonlySet<string>): void {
    assert(state.seq >= this.lastSeq, `record ${this.lastSeq} was acknowledged, the state is at ${state.seq}`);
    assert(state.accounts.length >= this.registered, 'every user whose registration was answered is registered');
    for (const digest of this.closed) assert(!state.sessions.has(digest), 'a session that was closed stays closed');
    for (const [digest, account] of this.opened) {
      if (ended.has(digest)) this.opened.delete(digest);
      else assert(state.sessions.get(digest)?.account === account, `a session of ${account} that was opened lives`);
    }
    if (state.day !== this.day) return;
    for (const [number, placed] of this.orders) this.checkOrder(state, number, placed);
  }

  private checkOrder(state: State, number: OrderNumber, { command, cancelled }: Placed): void {
    const order = state.orders.get(number);
    assert(order !== undefined, `order ${number} was acknowledged and is not there`);
    const { account, instrument, side, product, remarks } = command;
    assert(order.account === account && order.instrument === instrument, `order ${number} is its client's`);
    assert(
      order.side === side && order.product === product && order.remarks === remarks,
      `order ${number} is the same`,
    );
    if (cancelled) assert(order.status === 'Cancelled', `order ${number} was cancelled and is ${order.status}`);
    const wishes = this.wishes.get(number) ?? [];
    const from = wishes.findLastIndex(({ acknowledged }) => acknowledged);
    const units = wishes.slice(Math.max(0, from)).map((wish) => wish.command.terms.quantity);
    if (from < 0) units.push(command.terms.quantity);
    assert(
      units.includes(order.terms.quantity),
      `order ${number} is of ${order.terms.quantity} units, the answer said ${units}`,
    );
  }
}
