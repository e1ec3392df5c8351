/** The market's time, its speed, and the phase of each exchange, as the channel `clock` has them. */
import { useEffect } from 'preact/hooks';
import { marketStatus } from '../store/link.ts';
import { marketTime, runMarketTime } from '../store/market-time.ts';
import { Menu } from '../ui/menu.tsx';
import { phaseText } from './phases.ts';

export function TimeBar() {
  useEffect(runMarketTime, []);
  const status = marketStatus.value;
  if (status === undefined) return <div class="time-bar" />;
  const isFast = status.speed !== '1';
  return (
    <div class="time-bar">
      <div class="exchanges">
        {status.exchanges.map(({ exchange, isOpen, phase }) => (
          <span key={exchange} class={isOpen === 'true' ? 'open' : 'shut'} title={`${exchange}: ${phaseText(phase)}`}>
            {exchange}
            <span class="unseen">: {phaseText(phase)}</span>
          </span>
        ))}
      </div>
      <Menu
        label="Market time and phases"
        face={
          <>
            <time>{marketTime}</time>
            {isFast && ` at ${status.speed} times`}
          </>
        }
      >
        {() => (
          <dl class="phases">
            <dt>Market time</dt>
            <dd>{status.marketTime} IST</dd>
            <dt>Speed</dt>
            <dd>{status.speed} s of the market in a second</dd>
            {status.exchanges.map(({ exchange, phase, nextPhase, nextAt }) => (
              <>
                <dt>{exchange}</dt>
                <dd>
                  {phaseText(phase)}
                  {nextPhase !== '' && `, then ${phaseText(nextPhase)} at ${nextAt}`}
                </dd>
              </>
            ))}
          </dl>
        )}
      </Menu>
    </div>
  );
}
