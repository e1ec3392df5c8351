/**
 * Long readings for operators, in slices of the event loop, between which requests are answered.
 */
import { setImmediate } from 'node:timers/promises';
import type { Account } from '../../core/account.ts';
import type { DecisionPorts } from '../../core/ports.ts';
import type { State } from '../../core/state.ts';
import type { EnginePort } from '../../engine/port.ts';
import type { Views } from '../../views/views.ts';

/** How long a reading may hold one turn of the event loop, its last piece not counted. In milliseconds. */
const SLICE_MS = 2;

/** The state as one slice of a long reading sees it. It must not be kept. */
export interface SliceView {
  readonly state: State;
  readonly views: Views;
  readonly ports: DecisionPorts;
  /** True when the slice has taken its time: the reading goes on in a later turn of the loop. */
  readonly isOver: () => boolean;
}

/** The turns of the event loop that are given out to slices. It never rejects. */
let line: Promise<unknown> = Promise.resolve();

/** Resolves in a turn of the event loop in which no other slice of any reading is made. */
function turnOfItsOwn(): Promise<unknown> {
  line = line.then(() => setImmediate());
  return line;
}

/**
 * Reads the state in slices, between which requests are answered. `slice` returns true when all is read. Everything
 * that was read is durable when this resolves. Each slice sees the state of its own moment. However many readings run,
 * a turn of the event loop has one slice of them.
 */
export async function inSlices(engine: Pick<EnginePort, 'read'>, slice: (view: SliceView) => boolean): Promise<void> {
  for (;;) {
    await turnOfItsOwn();
    const end = performance.now() + SLICE_MS;
    const isOver = (): boolean => performance.now() >= end;
    if (await engine.read((state, views, ports) => slice({ state, views, ports, isOver }))) return;
  }
}

/** Takes the values of an iterator one after the other, as `inSlices` reads. It does not see the state. */
export async function eachInSlices<T>(
  engine: Pick<EnginePort, 'read'>,
  values: Iterator<T, unknown>,
  take: (value: T) => void,
): Promise<void> {
  await inSlices(engine, ({ isOver }) => {
    while (!isOver()) {
      const next = values.next();
      if (next.done === true) return true;
      take(next.value);
    }
    return false;
  });
}

/**
 * Takes the accounts one after the other, in the order of registration, as `inSlices` reads. `take` returns false when
 * it needs no more.
 */
export async function accountsInSlices(
  engine: Pick<EnginePort, 'read'>,
  take: (account: Account) => boolean,
): Promise<void> {
  let next = 0;
  await inSlices(engine, ({ state: { accounts }, isOver }) => {
    while (!isOver()) {
      const account = accounts.at(next);
      if (account === undefined || !take(account)) return true;
      next += 1;
    }
    return false;
  });
}
