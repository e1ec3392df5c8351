/**
 * One flush a frame: work that changes what is shown waits here and is done once before the next picture. Signals that
 * it sets reach the components together.
 */
import { batch } from '@preact/signals';

const waiting = new Set<() => void>();
let isAsked = false;

/** Does `work` before the next picture; once, however often it is asked for until then. */
export function atNextFrame(work: () => void): void {
  waiting.add(work);
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(flush);
}

function flush(): void {
  isAsked = false;
  const all = [...waiting];
  waiting.clear();
  batch(() => {
    for (const work of all) work();
  });
}
