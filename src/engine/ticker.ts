import { type EpochMs, SECOND_MS } from '../base/time.ts';

/** Calls `work` soon after every whole second of `clock`, once for seconds that were missed. Returns what ends it. */
export function everySecond(clock: () => EpochMs, work: () => void): () => void {
  let timer: NodeJS.Timeout;
  const next = (): void => {
    timer = setTimeout(
      () => {
        next();
        work();
      },
      SECOND_MS - (clock() % SECOND_MS),
    );
  };
  next();
  return () => clearTimeout(timer);
}
