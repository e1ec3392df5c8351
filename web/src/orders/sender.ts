/**
 * The one way in which the page changes anything at the service. Each press is sent once, is shown as sent until the
 * service answers, and its time to the answer is kept. Nothing is shown as done before the service said so. The ways
 * themselves are in `placing.ts` and `changing.ts`; this file joins them to the session, the books and the messages.
 */
import { SaudaError } from '../../../client/src/errors.ts';
import type { Product } from '../../../client/src/generated/operations.ts';
import type { NewGtt } from '../../../client/src/gtt.ts';
import type { InstrumentName } from '../../../client/src/instrument.ts';
import type { OrderNumber } from '../../../client/src/order-number.ts';
import type { NewOrder, OrderChange } from '../../../client/src/orders.ts';
import type { OrderRefused, OrderTaken } from '../../../client/src/results.ts';
import type { DataOf, OrderRow } from '../../../client/src/wire.ts';
import { orders } from '../store/books.ts';
import { dayIn, marketDay } from '../store/market-time.ts';
import { client, desk } from '../store/session.ts';
import { toast } from '../ui/toasts.tsx';
import { type Changed, changeOnce, hasTerms, isCancelled } from './changing.ts';
import { PendingPlacements } from './pending.ts';
import { lookFor, type Note, type Placed, type PlacingPorts, placeOnce } from './placing.ts';
import { type BasketPlaced, type BasketPorts, basketWords, placeBasketOnce } from './placing-basket.ts';
import { PressGuard } from './press.ts';
import { rowSoon } from './row-soon.ts';
import { noteSending, type Sending, type SendingChange, settleSending } from './sendings.ts';
import { failureWords, gttWords, orderWords } from './words.ts';

/** Cancellations of a selection that are on their way together. */
const AT_ONCE = 4;

const clock = (): number => performance.now();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const pending = new PendingPlacements(sessionStorage);

/** The presses of the session that is open. */
let presses = new PressGuard(clock);
desk.subscribe(() => {
  presses = new PressGuard(clock);
});

/**
 * Places an order under a key of its own, and resolves when the service has judged it. The same order is passed over
 * while the outcome of the press before is not known, or just after it.
 */
export function place(order: NewOrder): Promise<Placed> {
  const { userId } = desk.peek() ?? { userId: '' };
  const name = `place ${JSON.stringify(Object.entries(order).sort())}`;
  return once(name, () => {
    const sent = { userId, order, idempotencyKey: crypto.randomUUID(), day: marketDay.peek() };
    return placeOnce(portsNow(), pending, sent, noted(orderWords(order)));
  });
}

/**
 * Places several orders at once, each judged by itself. In doubt, the same key asks again and places nothing twice.
 * Undefined when the press is passed over. `day`: that of the market on which the key was used first.
 */
export function placeBasket(
  orders: readonly NewOrder[],
  idempotencyKey: string,
  day: string,
): Promise<BasketPlaced | undefined> {
  const { userId } = desk.peek() ?? { userId: '' };
  return once(`basket ${JSON.stringify(orders)}`, () => {
    const ports: BasketPorts = {
      placeBasket: (all, options) => client().orders.placeBasket(all, options),
      now: clock,
    };
    return placeBasketOnce(ports, pending, { userId, orders, idempotencyKey, day }, noted(basketWords(orders)));
  });
}

/** Places an order that waits for a price, under a key of its own. */
export function placeGtt(gtt: NewGtt): Promise<DataOf<'placeGttOrder'> | undefined> {
  const judge = ({ GTTid }: DataOf<'placeGttOrder'>): SendingChange => ({
    state: 'taken',
    reason: `waits as ${GTTid}`,
  });
  return send(gttWords(gtt), () => client().gtt.place(gtt), judge);
}

/** Gives an open order other terms. */
export function change(order: OrderNumber | OrderRow, to: OrderChange): Promise<Changed> {
  const known = typeof order === 'string' ? (orders.get(order) ?? order) : order;
  const ask = () => client().orders.modify(known, to);
  return changed(`Modify ${named(known)}`, numberOf(known), ask, hasTerms(to));
}

export function cancel(order: OrderNumber): Promise<Changed> {
  return cancelOne(order, say);
}

/** Cancels several orders, a few at a time, and says once what became of them. */
export async function cancelEach(numbers: readonly OrderNumber[]): Promise<void> {
  const left = [...numbers];
  const refused: Sending[] = [];
  const cancelNext = async (): Promise<void> => {
    for (let order = left.shift(); order !== undefined; order = left.shift()) {
      await cancelOne(order, (now) => {
        if (now.state !== 'taken' && now.state !== 'looking') refused.push(now);
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, cancelNext));
  const [first] = refused;
  const done = `Cancelled ${numbers.length - refused.length} of ${numbers.length} orders`;
  toast(
    first === undefined ? 'good' : 'bad',
    first === undefined ? `${done}.` : `${done}. ${first.text}: ${first.reason}`,
  );
}

function cancelOne(order: OrderNumber, report: Report): Promise<Changed> {
  const text = `Cancel ${named(orders.get(order) ?? order)}`;
  return changed(text, order, () => client().orders.cancel(order), isCancelled, report);
}

/** Cancels all open orders, or those of an exchange or an instrument. One request: the service does it to the end. */
export function cancelAll(of: Partial<InstrumentName> = {}): Promise<DataOf<'cancelAllOrders'> | undefined> {
  const judge = ({ cancelled, refused, left }: DataOf<'cancelAllOrders'>): SendingChange =>
    wholeOrPart(`${cancelled.length} cancelled`, refused, left);
  return send('Cancel all orders', () => client().orders.cancelAll(of), judge);
}

/** Exits all positions, or those of a product. One request: the service does it to the end. */
export function exitAll(product?: Product): Promise<DataOf<'exitAllPositions'> | undefined> {
  const judge = ({ orders: sent, refused, left }: DataOf<'exitAllPositions'>): SendingChange =>
    wholeOrPart(`${sent.length} orders sent that exit`, refused, left);
  return send('Exit all positions', () => client().portfolio.exitAll(product === undefined ? {} : { product }), judge);
}

function wholeOrPart(done: string, refused: readonly { readonly reason: string }[], left: string): SendingChange {
  const [first] = refused;
  if (first === undefined && left === '0') return { state: 'taken', reason: done };
  const why = first === undefined ? '' : `; ${refused.length} refused, the first: ${first.reason}`;
  return { state: 'refused', reason: `${done}${why}${left === '0' ? '' : `; ${left} are left, press once more`}` };
}

/**
 * Sends any other change of the user, as a conversion; `text` names it, and `judge` says what an answer means.
 * Undefined when it failed, and when the same one is on its way.
 */
export function send<T>(
  text: string,
  ask: () => Promise<T>,
  judge: (answer: T) => SendingChange = () => ({ state: 'taken' }),
): Promise<T | undefined> {
  return once(text, async () => {
    const note = noted(text);
    const from = clock();
    try {
      const answer = await ask();
      note({ ...judge(answer), took: clock() - from });
      return answer;
    } catch (error) {
      const isInDoubt = error instanceof SaudaError && error.ambiguous;
      const reason = isInDoubt ? 'Sent, but no answer came. The books show the outcome.' : failureWords(error);
      note({ state: isInDoubt ? 'in doubt' : 'failed', reason, took: clock() - from });
      return undefined;
    }
  });
}

/** Looks for the placements of a user that had no answer when the page was left or the session ended. */
export function resumePending(userId: string): void {
  for (const one of pending.of(userId)) void lookFor(portsNow(), pending, one, noted(one.text), clock());
}

function changed(
  text: string,
  order: OrderNumber,
  ask: () => Promise<OrderTaken | OrderRefused>,
  isDone: (row: OrderRow) => boolean,
  report: Report = say,
): Promise<Changed> {
  const look = () => client().orders.get(order);
  return once(text, () => changeOnce({ ...portsNow(), look }, ask, isDone, noted(text, report)));
}

/** Does what was pressed, and passes over the same press until its outcome is known. */
async function once<T>(name: string, act: () => Promise<T>): Promise<T | undefined> {
  const guard = presses;
  if (!guard.take(name)) return undefined;
  try {
    return await act();
  } finally {
    guard.settle(name);
  }
}

/** The ports of the session that is open now. */
function portsNow(): PlacingPorts {
  const open = desk.peek();
  return {
    place: (order, options) => client().orders.place(order, options),
    placement: async (key) => {
      const { orders: found, requestTime } = await client().orders.placement(key);
      return { orders: found.map(({ orderNumber }) => orderNumber), day: dayIn(requestTime) };
    },
    rowSoon,
    now: clock,
    pause,
    isOpen: () => open !== undefined && desk.peek() === open,
  };
}

/** Hears of each state that something sent comes to. */
type Report = (sending: Sending) => void;

/** Notes something that is sent, and reports what becomes of it. */
function noted(text: string, report: Report = say): Note {
  const number = noteSending(text);
  let isLooking = false;
  return (change) => {
    const now = settleSending(number, change);
    if (now === undefined || change.state === undefined || (isLooking && change.state === 'looking')) return;
    isLooking = change.state === 'looking';
    report(now);
  };
}

function say({ text, state, reason, took }: Sending): void {
  if (state === 'taken') toast('good', `${text}: ${reason === '' ? 'taken' : reason} (${Math.round(took ?? 0)} ms)`);
  else if (state === 'looking') toast('note', `${text}: ${reason}`);
  else if (state !== 'sending') toast('bad', `${text}: ${reason}`);
}

function numberOf(order: OrderNumber | OrderRow): OrderNumber {
  return typeof order === 'string' ? order : order.orderNumber;
}

function named(order: OrderNumber | OrderRow): string {
  return typeof order === 'string' ? `order ${order}` : `order ${order.orderNumber}: ${orderWords(order)}`;
}
