/**
 * The strategy builder: legs by hand, by the chain or by a template; the payoff; margins of the whole beside those of
 * the legs; and the placing of all of them. Every figure comes from the service.
 */
import type { PanelProps } from '../../app/panels.ts';
import { useChain } from '../chain/chain-data.ts';
import { legs } from './basket.ts';
import { Builder } from './builder.tsx';
import { StrategyFigures } from './figures.tsx';
import { LegList } from './leg-list.tsx';
import { PayoffPicture } from './payoff-picture.tsx';
import { Placing } from './placing.tsx';
import { useStrategy } from './use-strategy.ts';
import './strategy.css';

export default function StrategyPanel({ link }: PanelProps) {
  useChain(link);
  const { preview, payoff } = useStrategy();
  return (
    <div class="strategy">
      <Builder link={link} />
      {legs.value.length === 0 ? (
        <p class="empty">No legs yet. Build a strategy, or add options from the chain.</p>
      ) : (
        <>
          <LegList preview={preview} />
          <PayoffPicture payoff={payoff} />
          <StrategyFigures preview={preview} payoff={payoff} />
          <Placing preview={preview} />
        </>
      )}
    </div>
  );
}
