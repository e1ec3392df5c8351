import type { CancelKilled } from '../../src/core/command.ts';
import type { State } from '../../src/core/state.ts';
import { killedOrders } from '../../src/core/switches/cancel-killed.ts';

/** The commands that cancel what kill switches stop, without the pauses. */
export function cancelsOf(state: State): CancelKilled[] {
  return [...killedOrders(state)].filter((cancel) => cancel !== undefined);
}
