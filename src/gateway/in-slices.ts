import type { Caller } from './operation.ts';
import type { Turns } from './turns.ts';

/** How long one slice may take, not counting its last piece. In milliseconds. */
const SLICE_MS = 1;

/** Does work of a client that comes in pieces, in as many of his turns as it takes. Resolves with its result. */
export async function inSlices<T>(turns: Turns, account: Caller['account'], work: Iterator<undefined, T>): Promise<T> {
  for (;;) {
    const step = await turns.run(account, () => slice(work));
    if (step.done === true) return step.value;
  }
}

function slice<T>(work: Iterator<undefined, T>): IteratorResult<undefined, T> {
  const until = performance.now() + SLICE_MS;
  for (;;) {
    const step = work.next();
    if (step.done === true || performance.now() >= until) return step;
  }
}
