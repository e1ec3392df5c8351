/**
 * The way of one placement: sent under a key, and followed until the service said what became of it. When no answer
 * comes, the books of the service are asked under the same key; the order itself is never sent by another press.
 */
import { SaudaError } from '../../../client/src/errors.ts';
import type { OrderNumber } from '../../../client/src/order-number.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import type { OrderRefused, OrderTaken } from '../../../client/src/results.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import type { Pending, PendingPlacements } from './pending.ts';
import type { SendingChange } from './sendings.ts';
import { failureWords, orderWords, reasonOf, stateWords } from './words.ts';

/** The service and the page, as a placement needs them. */
export interface PlacingPorts {
  place(order: NewOrder, options: { readonly idempotencyKey: string }): Promise<OrderTaken>;
  /** The orders of a key, and the day of the market on which that is known. Throws while the service is not reached. */
  placement(idempotencyKey: string): Promise<{ readonly orders: readonly OrderNumber[]; readonly day: string }>;
  /** The row of an order in the book of the page, once it is there and judged; undefined when it does not come. */
  rowSoon(order: OrderNumber): Promise<OrderRow | undefined>;
  /** Milliseconds of a clock that never jumps. */
  now(): number;
  pause(ms: number): Promise<void>;
  /** True while the session lives that the placement was sent in. */
  isOpen(): boolean;
}

/** Where the steps of a placement are noted. */
export type Note = (change: SendingChange) => void;

/** An answer that has not come by then is shown as looked for. */
const LATE_MS = 2_000;
/** A placement that the books do not have is looked for again after these times: it may be on its way still. */
const LOOKS_MS = [1_000, 2_000, 4_000];
const UNREACHED_MS = 2_000;
export const LOOKING = 'Sent, no answer yet: looking.';
const NEVER_CAME = 'It did not reach the service. Nothing was placed.';
const DAY_TURNED = 'Not known: the day has turned. Look at history and positions.';
const UNKNOWN = 'Sent, but no answer came before the session ended. The order book shows the outcome.';

/** A placement that is looked for. */
export type Sought = Pick<Pending, 'idempotencyKey' | 'count' | 'day'>;

export type Placed = OrderTaken | OrderRefused | undefined;

/** Places an order and follows it. Undefined when nothing was placed, or nobody can say. */
export async function placeOnce(
  ports: PlacingPorts,
  pending: PendingPlacements,
  sent: Pick<Pending, 'userId' | 'idempotencyKey' | 'day'> & { readonly order: NewOrder },
  note: Note,
): Promise<Placed> {
  const { userId, order, idempotencyKey, day } = sent;
  const from = ports.now();
  let isAnswered = false;
  void ports.pause(LATE_MS).then(() => {
    if (!isAnswered) note({ state: 'looking', reason: LOOKING });
  });
  pending.add({ userId, idempotencyKey, text: orderWords(order), day });
  try {
    const taken = await ports.place(order, { idempotencyKey });
    isAnswered = true;
    pending.remove(idempotencyKey);
    const took = ports.now() - from;
    return await judged(
      ports,
      taken.slices.map(({ orderNumber }) => orderNumber),
      note,
      took,
      taken,
    );
  } catch (error) {
    if (error instanceof SaudaError && error.ambiguous)
      return await lookFor(ports, pending, { idempotencyKey, day }, note, from);
    pending.remove(idempotencyKey);
    note({ state: 'failed', reason: failureWords(error), took: ports.now() - from });
    return undefined;
  } finally {
    isAnswered = true;
  }
}

/**
 * Asks the books for a placement without an answer until the outcome is known. It places nothing. `from`: when it was
 * pressed, on the clock of the ports.
 */
export async function lookFor(
  ports: PlacingPorts,
  pending: PendingPlacements,
  { idempotencyKey, count = 1, day }: Sought,
  note: Note,
  from: number,
): Promise<Placed> {
  note({ state: 'looking', reason: LOOKING });
  let today = day;
  for (const wait of [...LOOKS_MS, 0]) {
    const found = await onceReached(ports, () => ports.placement(idempotencyKey));
    if (found === undefined) {
      note({ state: 'in doubt', reason: UNKNOWN });
      return undefined;
    }
    const { orders } = found;
    today = found.day;
    if (orders.length > 0) {
      pending.remove(idempotencyKey);
      if (orders.length < count) {
        note({ state: 'in doubt', reason: partWords(orders.length, count), took: ports.now() - from, orders });
        return undefined;
      }
      return judged(ports, orders, note, ports.now() - from);
    }
    await ports.pause(wait);
  }
  pending.remove(idempotencyKey);
  const took = ports.now() - from;
  if (today === day) note({ state: 'failed', reason: NEVER_CAME, took });
  else note({ state: 'in doubt', reason: DAY_TURNED, took });
  return undefined;
}

/** The answer as soon as the service can be asked; undefined when the session is over before. */
export async function onceReached<T>(
  ports: Pick<PlacingPorts, 'pause' | 'isOpen'>,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  while (ports.isOpen()) {
    try {
      return await ask();
    } catch {
      await ports.pause(UNREACHED_MS);
    }
  }
  return undefined;
}

function partWords(came: number, count: number): string {
  return `${came} of ${count} orders are in the order book. The others are not.`;
}

/** The service has the order: the risk desk and the exchange may have refused it, which its row says. */
async function judged(
  ports: PlacingPorts,
  numbers: readonly OrderNumber[],
  note: Note,
  took: number,
  taken?: OrderTaken,
): Promise<Placed> {
  note({ took, orders: numbers });
  const rows = (await Promise.all(numbers.map((number) => ports.rowSoon(number)))).filter((row) => row !== undefined);
  const refused = rows.find(({ status }) => status === 'REJECTED');
  const [first] = numbers;
  if (refused !== undefined) {
    note({ state: 'refused', reason: refusalWords(rows, refused) });
    return { outcome: 'refused', orderNumber: refused.orderNumber, reason: reasonOf(refused), order: refused };
  }
  note({ state: 'taken', reason: rows.length === 1 && rows[0] !== undefined ? stateWords(rows[0]) : '' });
  if (taken !== undefined || first === undefined) return taken;
  return {
    outcome: 'taken',
    orderNumber: first,
    requestTime: '',
    slices: numbers.map((one) => ({ orderNumber: one })),
  };
}

function refusalWords(rows: readonly OrderRow[], refused: OrderRow): string {
  const count = rows.filter(({ status }) => status === 'REJECTED').length;
  return rows.length === 1 ? reasonOf(refused) : `${count} of ${rows.length} slices: ${reasonOf(refused)}`;
}
