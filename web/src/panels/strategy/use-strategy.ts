/**
 * The answers of the service about the basket: its preview and its payoff, asked again when a leg changes and every few
 * seconds, since prices move. The panel shows them; this file has no markup.
 */
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { PreviewedOrder } from '../../../../client/src/margin.ts';
import type { StrategyLeg } from '../../../../client/src/market.ts';
import type { OrdersPreview, Strategy } from '../../../../client/src/wire.ts';
import { failureWords } from '../../orders/words.ts';
import { client } from '../../store/session.ts';
import { type Previewed, PreviewFeed } from '../ticket/preview-feed.ts';
import { isComplete, legs, payoffLeg, previewed } from './basket.ts';

const AGAIN_MS = 4_000;

export interface Answers {
  readonly preview: ReadonlySignal<Previewed<OrdersPreview>>;
  readonly payoff: ReadonlySignal<Previewed<Strategy>>;
}

export function useStrategy(): Answers {
  const feeds = useMemo(
    () => ({
      preview: new PreviewFeed<readonly PreviewedOrder[], OrdersPreview>(
        (orders) => client().margin.preview(orders),
        failureWords,
      ),
      payoff: new PreviewFeed<readonly StrategyLeg[], Strategy>(
        (asked) => client().market.strategy(asked),
        failureWords,
      ),
    }),
    [],
  );
  useEffect(() => {
    const ask = (isAgain: boolean): void => {
      const all = legs.peek();
      if (all.length === 0 || !all.every(isComplete)) {
        feeds.preview.clear();
        feeds.payoff.clear();
        return;
      }
      feeds.preview.ask(all.map(previewed), isAgain);
      feeds.payoff.ask(all.map(payoffLeg), isAgain);
    };
    const stop = legs.subscribe(() => ask(false));
    const again = setInterval(() => {
      if (!document.hidden) ask(true);
    }, AGAIN_MS);
    return () => {
      stop();
      clearInterval(again);
      feeds.preview.clear();
      feeds.payoff.clear();
    };
  }, [feeds]);
  return { preview: feeds.preview.state, payoff: feeds.payoff.state };
}
