/**
 * One flush a frame: work that changes what is shown waits here and is done once before the next picture. Signals that
 * it sets reach the components together. A hidden page draws no pictures, but its alerts sound, so there it is done
 * within a second.
 */
import { batch } from '@preact/signals';

const WITHOUT_PICTURE_MS = 1_000;

const waiting = new Set<() => void>();
let asked: { readonly frame: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;

/** Does `work` before the next picture; once, however often it is asked for until then. */
export function atNextFrame(work: () => void): void {
  waiting.add(work);
  asked ??= { frame: requestAnimationFrame(flush), timer: setTimeout(flush, WITHOUT_PICTURE_MS) };
}

function flush(): void {
  if (asked === undefined) return;
  cancelAnimationFrame(asked.frame);
  clearTimeout(asked.timer);
  asked = undefined;
  const all = [...waiting];
  waiting.clear();
  batch(() => {
    for (const work of all) work();
  });
}
