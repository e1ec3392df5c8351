/** Figures of a page and of the service, compared while both move. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** A machine that does much else lets a page wait for seconds; a page that is wrong never comes right. */
const WAIT_MS = 45_000;
const STEP_MS = 100;

/** Asks again until the answer holds; fails with the last one. */
export async function until<T>(ask: () => Promise<T>, holds: (answer: T) => boolean, what: string): Promise<T> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (performance.now() > end) assert.fail(`${what}: the last answer was ${JSON.stringify(answer)}`);
    await pause(STEP_MS);
  }
}

/** A figure of the page without its grouping and its sign of the page: `1,332.50` is `1332.50`. */
export function plainFigure(text: string): string {
  return text.replaceAll(',', '').replace('\u2212', '-').replace('+', '').trim();
}
