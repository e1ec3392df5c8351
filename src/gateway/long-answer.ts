/**
 * Answers that are lists: a short one is made at once, a long one in pieces, each in a turn of its client, so that
 * nobody waits for it. The sending is in `http/long-reply.ts`.
 */

import type { Stretches } from '../base/logs/placed-rows.ts';
import type { DecisionPorts } from '../core/ports.ts';
import type { State } from '../core/state.ts';
import type { Views } from '../views/views.ts';
import { type Answer, type Items, LongAnswer } from './answer.ts';
import type { GatewayParts } from './deps.ts';
import { type Failure, NO_ROOM } from './fields/envelope.ts';
import type { Caller } from './operation.ts';

/**
 * Makes the next items of a list, or gives the failure because of which there is no answer. Takes a few milliseconds at
 * most.
 */
export type Piece = () => Items | Failure | Promise<Items | Failure>;

/** An object with a list that is made in pieces, and with fields that follow from the whole list. */
export interface ObjectSpec {
  /** The text in front of the object. */
  readonly answer: { readonly head: string };
  /** The name of the list. */
  readonly list: string;
  readonly mostBytes: number;
  readonly pieces: Iterable<Piece>;
  /** All fields but the list, as a JSON object. Asked for when the list is whole. */
  rest(): string;
}

/** The answer of an object with a list. */
export function objectAnswer(parts: GatewayParts, caller: Caller, spec: ObjectSpec): Promise<Answer> {
  const { answer, list, mostBytes, pieces } = spec;
  return longAnswer(parts, caller, `${answer.head}{"${list}":`, mostBytes, pieces, () => `,${spec.rest().slice(1)}`);
}

/** The moment that all rows of a list are of, though they are made in later turns. */
export interface ListMoment {
  /** True when rows of the moment cannot be made any more: the list is then made again, of a later moment. */
  isOver(state: State): boolean;
}

/** Rows of facts that nothing changes. */
export const LASTING: ListMoment = { isOver: () => false };

/** A list that may be long. */
export interface ListSpec<Source> {
  /** The text in front of the list, and the closing of a short list. */
  readonly answer: { readonly head: string; wrap(dataText: string): string };
  /** Rows that are made in one piece of work: a millisecond or two. A list that is no longer is made at once. */
  readonly rowsAtATime: number;
  /** The most that a row takes, in bytes. */
  readonly rowBytes: number;
  /**
   * The sources that the rows are made from, in a list that is not changed elsewhere; or the failure because of which
   * there is none.
   */
  sources(state: State, views: Views): Stretches<Source> | Failure;
  /**
   * A source as it is now, of a list whose rows must all be of one moment; when left out, a row is as it is when its
   * turn comes.
   */
  frozen?(source: Source): Source;
  /**
   * Set when `row` says what was so when `sources` was asked, whenever its turn comes. Such rows are durable by then,
   * and do not wait for the disk again.
   */
  readonly moment?: ListMoment;
  /** A row as JSON; blank when it is gone by the time of its turn. */
  row(source: Source, state: State, views: Views, ports: DecisionPorts): string;
}

/** Ends the making of a list whose moment is over. No client gets it. */
const MOMENT_OVER: Failure = { ...NO_ROOM };

/** The answer of a list: at once when it is short, else in turns of its client. */
export function listAnswer<Source>(
  parts: GatewayParts,
  caller: Caller,
  spec: ListSpec<Source>,
): Answer | Promise<Answer> {
  const made = parts.engine.read((state, views, ports) => {
    const sources = spec.sources(state, views);
    if ('status' in sources) return sources;
    const { frozen } = spec;
    const isShort = sources.length <= spec.rowsAtATime;
    if (!isShort && frozen === undefined) return sources;
    const all = sources.slice(0, sources.length);
    if (isShort) return spec.answer.wrap(`[${rowsOf(spec, all, state, views, ports)}]`);
    return all.map((source) => frozen?.(source) ?? source);
  });
  const finish = (whole: string | Failure | Stretches<Source>): Answer | Promise<Answer> => {
    if (typeof whole === 'string' || 'status' in whole) return whole;
    const mostBytes = whole.length * spec.rowBytes;
    const inTurns = longAnswer(parts, caller, spec.answer.head, mostBytes, rowsInTurns(parts, spec, whole));
    return inTurns.then((answer) => (answer === MOMENT_OVER ? listAnswer(parts, caller, spec) : answer));
  };
  return made instanceof Promise ? made.then(finish) : finish(made);
}

function* rowsInTurns<Source>(
  { engine }: GatewayParts,
  spec: ListSpec<Source>,
  sources: Stretches<Source>,
): Generator<Piece> {
  const { moment, rowsAtATime } = spec;
  for (let from = 0; from < sources.length; from += rowsAtATime) {
    const some = sources.slice(from, from + rowsAtATime);
    if (moment === undefined) yield () => engine.read((state, views, ports) => rowsOf(spec, some, state, views, ports));
    else
      yield () =>
        engine.glance((state, ports, views) =>
          moment.isOver(state) ? MOMENT_OVER : rowsOf(spec, some, state, views, ports),
        );
  }
}

function rowsOf<Source>(
  spec: ListSpec<Source>,
  sources: readonly Source[],
  state: State,
  views: Views,
  ports: DecisionPorts,
): string {
  return sources
    .map((source) => spec.row(source, state, views, ports))
    .filter((row) => row !== '')
    .join(',');
}

/**
 * Makes an answer of at most `mostBytes` piece by piece, each in a turn of the account, or the failure that ends it. It
 * is refused before anything is made when there is no room for it, and left when the client has gone: the room is for
 * those who wait.
 * `tailOf`: the text after the list, asked for when the list is whole.
 */
export async function longAnswer(
  { turns, answers }: GatewayParts,
  { account, from }: Caller,
  head: string,
  mostBytes: number,
  pieces: Iterable<Piece>,
  tailOf: () => string = () => '',
): Promise<Answer> {
  const room = answers.reserve(account, mostBytes);
  if (room === undefined) return NO_ROOM;
  let made: Answer | undefined;
  try {
    const long = new LongAnswer(room, head);
    for (const piece of pieces) {
      const items = await turns.runFor(account, from, piece);
      if (typeof items !== 'string' && !Buffer.isBuffer(items)) return items;
      long.add(items);
    }
    made = long.end(tailOf());
    return made;
  } finally {
    if (made === undefined) room.giveBack();
  }
}
