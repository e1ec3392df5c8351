import type { OrderNumber } from '../../src/base/ids.ts';
import type { Side } from '../../src/core/order.ts';
import type { Round } from './duel.ts';
import { isStop, left, type NaiveBook } from './naive-book.ts';

type Seen = (round: Round) => boolean;

const SIDES: readonly Side[] = ['B', 'S'];

/** The situations through which a run of random commands must have come, or it has proved nothing about them. */
export const SITUATIONS: { readonly [name: string]: Seen } = {
  'two users trade': ({ lines }) => lines.some((line) => /buy \d+ sell \d+/.test(line)),
  'a walk trades at three prices or more': ({ command, lines }) =>
    command.type === 'submit' && new Set(lines.flatMap((line) => priceOf(line) ?? [])).size >= 3,
  'market units between two user orders are taken in turn': ({ lines }) =>
    / buy \d+ sell \d+;[^;]*takes[^;]*;advance[^;]*;trade[^;]* buy \d+ sell \d+(;|$)/.test(lines.join(';')),
  'a level has fewer free units than stand in front of a user order': ({ lines, naive }) =>
    lines.some((line) => line.startsWith('advance')) && naive.orders.some((order) => isPartlyFilledBehind(order)),
  'a resting order of the same account is cancelled': ({ lines }) => has(lines, 'SelfTrade'),
  'the walk goes on behind a cancelled order of the same account': ({ lines }) =>
    /SelfTrade;(advance[^;]*;)?trade/.test(lines.join(';')),
  'an immediate-or-cancel order is filled in part and its rest cancelled': ({ lines }) =>
    has(lines, 'ImmediateOrCancel') && has(lines, 'trade'),
  'an immediate-or-cancel order is filled whole': ({ command, lines }) =>
    command.type === 'submit' && command.retention === 'IOC' && !has(lines, 'ImmediateOrCancel'),
  'an order rests behind displayed quantity': (round) => restsWhere(round, (shown, ahead) => shown && ahead > 0),
  'an order rests behind quantity that is not displayed': (round) =>
    restsWhere(round, (shown, ahead) => !shown && ahead > 0),
  'an order rests with as much in front as the last in the queue': ({ lines, naive }) =>
    lines.some((line) => {
      const [, number, ahead] = /^rest (\d+) ahead (\d+)$/.exec(line) ?? [];
      return number !== undefined && isRaised(naive, Number(number) as OrderNumber, Number(ahead));
    }),
  'a print ends inside the market units of a queue': ({ command, lines }) =>
    command.type === 'move' &&
    lines.some((line, at) => line.startsWith('advance') && !lines[at + 1]?.startsWith('trade')),
  'an order behind displayed quantity is filled in part by a print': ({ command, lines, naive }) =>
    command.type === 'move' &&
    lines.some((line, at) => line.startsWith('advance') && isPartFill(naive, lines[at + 1] ?? '')),
  'a print fills an order at a better price first': ({ command, lines, naive }) =>
    command.type === 'move' && pricesOfPlainFills(lines).some((price) => price !== naive.print()?.price),
  'the market crosses resting orders': ({ command, lines }) => command.type === 'move' && has(lines, 'takes'),
  'a crossing market fills two orders and its print a third': ({ command, lines }) =>
    command.type === 'move' &&
    /takes.*takes.*trade[^;]*market[^;]*$/.test(lines.join(';')) &&
    !lines.at(-1)?.includes('takes'),
  'what was taken stays taken when the market moves': (round) => round.command.type === 'move' && staysTaken(round),
  'a renewed level is whole again': ({ command, naive }) => command.type === 'move' && isRenewed(naive),
  'a stop fires and rests': ({ lines }) => /fire (\d+);.*rest \1 /.test(lines.join(';')),
  'a stop fires and trades': ({ lines }) => /fire \d+;trade/.test(lines.join(';')),
  'the trade of a stop fires another': ({ lines }) => /fire \d+;(?:[^;]*;)*?trade.*;fire/.test(lines.join(';')),
  'a stop that is reached already is rejected': ({ lines }) => has(lines, 'reject'),
  'a stop that is reached already fires as it comes': ({ lines }) =>
    /^acknowledge (\d+);arm \1;fire \1;/.test(lines.join(';')),
  'a modification to a trigger that is reached fires the stop': ({ lines }) =>
    /^replace (\d+) anew;arm \1;fire \1;/.test(lines.join(';')),
  'fewer units keep the place of an order that is not the last': ({ before, lines, naive }) =>
    has(lines, 'in place') && before !== undefined && hasOrdersBehind(naive, before.number),
  'fewer units keep the place of a waiting stop': ({ before, lines }) =>
    before?.where === 'stops' && has(lines, 'in place'),
  'more units lose the place': ({ before, command, lines, naive }) =>
    command.type === 'replace' &&
    before?.where === 'queue' &&
    naive.find(before.number).terms.quantity > before.terms.quantity &&
    has(lines, 'anew'),
  'a new price trades at once': ({ before, lines }) => before?.where === 'queue' && /anew;trade/.test(lines.join(';')),
  'a modification to immediate-or-cancel ends the order': ({ command, lines }) =>
    command.type === 'replace' && has(lines, 'ImmediateOrCancel'),
  'a waiting stop becomes a limit order': ({ before, command, naive }) =>
    command.type === 'replace' && before?.where === 'stops' && !isStop(naive.find(before.number).terms),
  'a limit order becomes a stop': ({ before, lines }) =>
    before?.where === 'queue' && !isStop(before.terms) && has(lines, 'arm'),
  'a stop that has fired is modified and not armed again': ({ before, command, lines }) =>
    command.type === 'replace' &&
    before?.where === 'queue' &&
    isStop(before.terms) &&
    /anew;(trade|rest)/.test(lines.join(';')),
  'a modification to a trigger that is reached is refused': ({ lines }) => has(lines, 'refuse'),
  'an order in the queue is cancelled': ({ before, command }) => command.type === 'cancel' && before?.where === 'queue',
  'a waiting stop is cancelled': ({ before, command }) => command.type === 'cancel' && before?.where === 'stops',
};

function has(lines: readonly string[], word: string): boolean {
  return lines.some((line) => line.includes(word));
}

function priceOf(line: string): string | undefined {
  return /^trade \d+ @ (\d+)/.exec(line)?.[1];
}

/** An order that was filled while units that had no free ones to show for still stood in front of it. */
function isPartlyFilledBehind(order: NaiveBook['orders'][number]): boolean {
  return order.where === 'queue' && order.filled > 0 && order.ahead > 0;
}

function restsWhere({ lines, naive }: Round, is: (shown: boolean, ahead: number) => boolean): boolean {
  return lines.some((line) => {
    const [, number, ahead] = /^rest (\d+) ahead (\d+)$/.exec(line) ?? [];
    if (number === undefined) return false;
    const { side, terms } = naive.find(Number(number) as OrderNumber);
    const shown = naive.displayed(side).some(({ price }) => price === terms.price);
    return is(shown, Number(ahead));
  });
}

/** True when more stands in front of the order than the market has at its price. */
function isRaised(naive: NaiveBook, number: OrderNumber, ahead: number): boolean {
  const { side, terms } = naive.find(number);
  const level = naive.displayed(side).find(({ price }) => price === terms.price);
  return level !== undefined && ahead > level.quantity;
}

function isPartFill(naive: NaiveBook, line: string): boolean {
  const [, number] = /(?:buy|sell) (\d+)/.exec(line) ?? [];
  if (number === undefined) return false;
  const order = naive.find(Number(number) as OrderNumber);
  return order.where === 'queue' && left(order) > 0;
}

/** The prices of fills by the market's print. */
function pricesOfPlainFills(lines: readonly string[]): number[] {
  const plain = lines.filter(
    (line) => /^trade.* market/.test(line) && !line.includes('takes') && !line.includes('fire'),
  );
  return plain.map((line) => Number(priceOf(line)));
}

function staysTaken({ lines, naive }: Round): boolean {
  return SIDES.some((side) =>
    naive.displayed(side).some((level) => {
      const now = lines.some((line) => line.includes(`takes ${level.price}#${level.generation}`));
      return !now && naive.takenOf(side, level) > 0;
    }),
  );
}

function isRenewed(naive: NaiveBook): boolean {
  return SIDES.some((side) =>
    naive.displayed(side).some(({ price, generation }) => {
      const rows = naive.taken.filter((row) => row.side === side && row.price === price);
      return rows.length > 0 && rows.every((row) => row.generation !== generation);
    }),
  );
}

function hasOrdersBehind(naive: NaiveBook, number: OrderNumber): boolean {
  const { side, terms, where } = naive.find(number);
  if (where !== 'queue') return false;
  return (
    naive
      .queue(side)
      .filter((order) => order.terms.price === terms.price)
      .at(-1)?.number !== number
  );
}
