import { setTimeout } from 'node:timers/promises';

/** Bytes between two ends of this process take fewer turns, over TLS too. */
const TURNS = 20;

/** Turns of the event loop, in each of which it looks at connections: they count, however busy the machine is. */
export async function loopTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await setTimeout(1);
}
