/** The next time at which a question that had no answer may have one. */
import { InvalidRequest } from '../../../client/src/errors.ts';
import { link } from './link.ts';

/** A question that failed is asked again after this time. */
const REST_MS = 5_000;

/** Calls once: as soon as the link comes back, or some seconds later where it stands. The result ends the wait. */
export function whenReached(run: () => void): () => void {
  let stop = (): void => undefined;
  const end = (): void => {
    clearTimeout(timer);
    stop();
  };
  const now = (): void => {
    end();
    run();
  };
  let wasLive = link.peek() === 'live';
  const timer = setTimeout(() => {
    if (link.peek() === 'live') now();
  }, REST_MS);
  stop = link.subscribe((state) => {
    const isLive = state === 'live';
    if (isLive && !wasLive) now();
    wasLive = isLive;
  });
  return end;
}

/** True for a failure after which the same question may be answered: not for one that the service refuses. */
export function mayBeAnswered(error: unknown): boolean {
  return !(error instanceof InvalidRequest);
}

/** Asks until there is an answer, or a refusal. The result ends it. */
export function askUntilAnswered<T>(
  ask: () => Promise<T>,
  answered: (answer: T) => void,
  failed: (error: unknown) => void,
): () => void {
  let isOver = false;
  let stopWaiting = (): void => undefined;
  const now = (): void => {
    ask().then(
      (answer) => {
        if (!isOver) answered(answer);
      },
      (error: unknown) => {
        if (isOver) return;
        failed(error);
        if (mayBeAnswered(error)) stopWaiting = whenReached(now);
      },
    );
  };
  now();
  return () => {
    isOver = true;
    stopWaiting();
  };
}
