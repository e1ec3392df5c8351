/** `sauda cancel`: named orders, or all open ones. Each is tried, and those that stay are named at the end. */
import type { Command } from 'commander';
import { namedFields } from '../../../client/src/instrument.ts';
import type { OrderNumber } from '../../../client/src/order-number.ts';
import type { OrderRefused, OrderTaken } from '../../../client/src/results.ts';
import type { DataOf } from '../../../client/src/wire.ts';
import { withoutControls } from '../../base/printable.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { instrumentOf } from '../market/instrument.ts';
import { signedIn } from '../session/signed-in.ts';
import { expectNone, failureFor, isInDoubt, tried } from '../session/tried.ts';
import { printAnswer, type TraderParts } from '../trader-parts.ts';
import { ordersNamed } from './order-number.ts';

interface CancelFlags {
  readonly all?: true;
  readonly instrument?: string;
  readonly json?: true;
}

/** An order of which it is not known whether it was cancelled. */
interface InDoubt {
  readonly outcome: 'in doubt';
  readonly orderNumber: OrderNumber;
  readonly reason: string;
}

/** The outcome for one order, and the failure where it was not cancelled. */
interface Cancellation {
  readonly answer: OrderTaken | OrderRefused | InDoubt;
  readonly failure?: CommandFailed;
}

/** Adds `cancel`. */
export function addCancelCommand(program: Command, parts: TraderParts): void {
  program
    .command('cancel [order...]')
    .description('cancel open orders by their numbers or the ends of them: sauda cancel 7')
    .option('--all', 'all open orders')
    .option('--instrument <instrument>', 'all open orders in one instrument')
    .option('--json', 'the outcome of each order as an array in JSON')
    .action((orders: readonly string[], flags: CancelFlags) => {
      const isAll = flags.all === true || flags.instrument !== undefined;
      if (isAll === orders.length > 0) throw new CommandFailed('name the orders, or --all', EXIT_USAGE);
      return isAll ? cancelAll(parts, flags) : cancel(parts, orders, flags);
    });
}

function cancel(parts: TraderParts, texts: readonly string[], flags: CancelFlags): Promise<void> {
  return signedIn(parts, async (sauda, session) => {
    const cancellations: Cancellation[] = [];
    for (const number of new Set(await ordersNamed(sauda, texts))) {
      const answer = await tried(session, () => sauda.orders.cancel(number));
      cancellations.push(answer instanceof CommandFailed ? failed(number, answer) : answered(answer));
    }
    print(parts, flags, cancellations);
    expectNone(cancellations.flatMap(({ failure }) => failure ?? []));
  });
}

function cancelAll(parts: TraderParts, flags: CancelFlags): Promise<void> {
  return signedIn(parts, async (sauda, session) => {
    const of = flags.instrument === undefined ? {} : namedFields(await instrumentOf(sauda, flags.instrument));
    const { cancellations, rest } = await askForAll(() => tried(session, () => sauda.orders.cancelAll(of)));
    const isNone = cancellations.length === 0 && rest === undefined;
    if (isNone && !flags.json) parts.print('there was no open order');
    else print(parts, flags, cancellations);
    expectNone([...cancellations, { failure: rest }].flatMap(({ failure }) => failure ?? []));
  });
}

/**
 * Asks until no order is left, since one request ends a thousand at most, or until one ends none. `rest`: the failure
 * of the orders that no request came to.
 */
async function askForAll(
  ask: () => Promise<DataOf<'cancelAllOrders'> | CommandFailed>,
): Promise<{ readonly cancellations: readonly Cancellation[]; readonly rest: CommandFailed | undefined }> {
  // By their numbers: an order that one request leaves may be ended by the next one.
  const found = new Map<OrderNumber, Cancellation>();
  let left: string | undefined;
  for (;;) {
    const answer = await ask();
    if (answer instanceof CommandFailed) return { cancellations: [...found.values()], rest: restFailed(left, answer) };
    const { cancelled, refused, requestTime } = answer;
    for (const { orderNumber } of cancelled) {
      found.set(orderNumber, answered({ outcome: 'taken', orderNumber, requestTime, slices: [{ orderNumber }] }));
    }
    for (const row of refused) found.set(row.orderNumber, answered({ outcome: 'refused', ...row }));
    left = answer.left;
    if (left !== '0' && cancelled.length > 0) continue;
    const rest = left === '0' ? undefined : new CommandFailed(`${left} more open orders are as they were`, EXIT_FAILED);
    return { cancellations: [...found.values()], rest };
  }
}

/** The failure of a request, for the orders that the one before it left where there was one. */
function restFailed(left: string | undefined, failure: CommandFailed): CommandFailed {
  return left === undefined ? failure : failureFor(`${left} more open orders`, failure, 'are as they were');
}

function answered(answer: OrderTaken | OrderRefused): Cancellation {
  if (answer.outcome === 'taken') return { answer };
  const refusal = new CommandFailed(withoutControls(answer.reason), EXIT_FAILED);
  return { answer, failure: failureFor(`order ${answer.orderNumber}`, refusal) };
}

function failed(orderNumber: OrderNumber, failure: CommandFailed): Cancellation {
  const outcome = isInDoubt(failure) ? 'in doubt' : 'refused';
  const answer = { outcome, orderNumber, reason: failure.message } as const;
  return { answer, failure: failureFor(`order ${orderNumber}`, failure) };
}

function print(parts: TraderParts, flags: CancelFlags, cancellations: readonly Cancellation[]): void {
  const answers = cancellations.map(({ answer }) => answer);
  const done = answers.filter(({ outcome }) => outcome === 'taken');
  const lines = done.map(({ orderNumber }) => `order ${orderNumber} is cancelled`);
  if (flags.json || lines.length > 0) printAnswer(parts, flags, answers, () => lines.join('\n'));
}
