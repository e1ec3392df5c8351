import { LANE_PATIENCE_MS } from './lane.ts';

/**
 * Settles as `work` does, or as `late` says when that takes longer than `mostMs` milliseconds, or when `ended` fires.
 * The work goes on then, and its outcome is not looked at.
 */
export async function inTime<T>(
  work: Promise<T>,
  ended: AbortSignal,
  late: () => T,
  mostMs = LANE_PATIENCE_MS,
): Promise<T> {
  if (ended.aborted) {
    // Its failure is nobody's business any more, and must not end the process.
    work.catch(() => undefined);
    return late();
  }
  let giveUp: () => void = () => undefined;
  const over = new Promise<'late'>((resolve) => {
    giveUp = () => resolve('late');
  });
  const timer = setTimeout(giveUp, mostMs);
  ended.addEventListener('abort', giveUp);
  try {
    const first = await Promise.race([work.then((value) => ({ value })), over]);
    return first === 'late' ? late() : first.value;
  } finally {
    clearTimeout(timer);
    ended.removeEventListener('abort', giveUp);
  }
}
