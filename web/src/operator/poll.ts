/** Reads of the operator's port that are asked again every two seconds while the page is seen, one at a time each. */
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, NotDone } from './port.ts';

const EVERY_MS = 2_000;

/** The last answer of a path. */
export interface Polled<Answer> {
  readonly answer: Answer | undefined;
  /** Why the last request failed; blank when it was answered. */
  readonly failure: string;
}

/** Turned after an act, so that all that is shown is asked for at once. */
const round = signal(0);

/** When the service last answered, in milliseconds since 1970; 0 before it did. */
export const answeredAt = signal(0);
/** Why it does not answer; blank while it does. */
export const silence = signal('');

export function readAgain(): void {
  round.value += 1;
}

/** Asks for a path while the component is shown; nothing is asked for without one. */
export function usePolled<Answer>(path: string | undefined): Polled<Answer> {
  const polled = useSignal<Polled<Answer> & { readonly path: string | undefined }>({
    path,
    answer: undefined,
    failure: '',
  });
  useEffect(() => {
    if (path === undefined) return undefined;
    const ends = new AbortController();
    const poll = async (): Promise<void> => {
      const before = polled.value.path === path ? polled.value.answer : undefined;
      try {
        const answer = await ask<Answer>(path, ends.signal);
        if (ends.signal.aborted) return;
        polled.value = { path, answer, failure: '' };
        answeredAt.value = Date.now();
        silence.value = '';
      } catch (error) {
        if (ends.signal.aborted) return;
        const isAnswered = error instanceof NotDone && error.isAnswered;
        const failure = (error as Error).message;
        polled.value = { path, answer: isAnswered ? undefined : before, failure };
        silence.value = isAnswered ? '' : failure;
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const goOn = async (): Promise<void> => {
      if (document.visibilityState === 'visible') await poll();
      if (!ends.signal.aborted) timer = setTimeout(goOn, EVERY_MS);
    };
    void goOn();
    return () => {
      ends.abort();
      clearTimeout(timer);
    };
  }, [path, round.value]);
  const { path: of, answer, failure } = polled.value;
  return of === path ? { answer, failure } : { answer: undefined, failure: '' };
}
