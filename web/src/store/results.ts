/** The results of the day as the stream sends them, while something on the page shows them. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ResultsEvent } from '../../../client/src/stream/events.ts';
import type { Subscription } from '../../../client/src/stream/subscription.ts';
import type { ResultsData } from '../../../client/src/wire.ts';
import { atNextFrame } from './frame.ts';
import { ignore } from './link.ts';
import { desk } from './session.ts';

const shown = signal<ResultsData | undefined>(undefined);
let newest: ResultsData | undefined;
let followers = 0;
let subscription: Subscription<ResultsEvent> | undefined;

/** The newest results while the component is shown; undefined before the first ones. */
export function useResults(): ReadonlySignal<ResultsData | undefined> {
  useEffect(() => {
    followers += 1;
    if (followers === 1) follow();
    return () => {
      followers -= 1;
      if (followers === 0) leave();
    };
  }, []);
  return shown;
}

function follow(): void {
  subscription = desk.peek()?.stream.results();
  subscription?.on(({ data }) => {
    newest = data;
    atNextFrame(show);
  }, ignore);
}

function leave(): void {
  subscription?.close();
  subscription = undefined;
  newest = undefined;
  shown.value = undefined;
}

function show(): void {
  shown.value = newest;
}
