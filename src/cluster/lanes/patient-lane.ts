import { type Lane, LaneUnreachable } from './lane.ts';

const AGAIN_MS = 100;

/**
 * The same lane with reads that are repeated while it does not answer, for `mostMs` milliseconds each: a command has no
 * loop that would read again, and a lane is without a leader for some seconds at an election. Rejects with
 * `LaneUnreachable` after that.
 */
export function patientLane(lane: Lane, mostMs: number): Lane {
  const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (const until = performance.now() + mostMs; ; ) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof LaneUnreachable) || performance.now() >= until) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  };
  return {
    name: lane.name,
    append: (expectedLast, bytes) => lane.append(expectedLast, bytes),
    read: (after) => patiently(() => lane.read(after)),
    last: () => patiently(() => lane.last()),
    close: () => lane.close(),
  };
}
