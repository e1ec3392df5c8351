import type { State } from '../core/state.ts';
import { type EnginePort, Unavailable } from '../engine/port.ts';

/**
 * What a query sees now, though it may not be durable yet: for making a command, which becomes durable after what it was made
 * from, and for counting; never for an answer. Throws `Unavailable` when the engine takes no reads.
 */
export function glance<T>(engine: EnginePort, query: (state: State) => T): T {
  const seen: T[] = [];
  const answer = engine.read((state) => {
    seen.push(query(state));
  });
  if (seen.length === 1) return seen[0] as T;
  // The refusal of the read is told by the throw below; settling it keeps it from being told twice.
  void Promise.allSettled([answer]);
  throw new Unavailable('the engine takes no reads');
}
