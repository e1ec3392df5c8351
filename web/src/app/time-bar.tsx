/**
 * The market's time, its speed, and the phase of each exchange, as the channel `clock` has them. The clock is of all
 * users, so a session of one shows it and cannot set it: its controls are on the operator's page.
 */
import { useEffect } from 'preact/hooks';
import { wireTime } from '../../../client/src/times.ts';
import type { MarketStatus } from '../../../client/src/wire.ts';
import { marketStatus } from '../store/link.ts';
import { marketTime, paceText, runMarketTime } from '../store/market-time.ts';
import { Menu } from '../ui/menu.tsx';
import { phaseText } from './phases.ts';

const DATE_LENGTH = 'DD-MM-YYYY'.length;

export function TimeBar() {
  useEffect(runMarketTime, []);
  const status = marketStatus.value;
  if (status === undefined) return <div class="time-bar" />;
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
            <MarketDay status={status} />
            <time>{marketTime}</time>
            <Pace speed={status.speed} />
          </>
        }
      >
        {() => (
          <dl class="phases">
            <dt>Market time</dt>
            <dd>{status.marketTime} IST</dd>
            <dt>Speed</dt>
            <dd>{speedText(status.speed)}</dd>
            {status.exchanges.map(({ exchange, phase, nextPhase, nextAt }) => (
              <>
                <dt>{exchange}</dt>
                <dd>
                  {phaseText(phase)}
                  {nextPhase !== '' && `, then ${phaseText(nextPhase)} at ${nextAt}`}
                </dd>
              </>
            ))}
            <dt>Set by</dt>
            <dd>
              the operator, for all users: <code>npx sauda operator page</code>
            </dd>
          </dl>
        )}
      </Menu>
    </div>
  );
}

/** The date, where it is not that of the wall or may soon be another one. */
function MarketDay({ status: { marketTime: at, speed } }: { readonly status: MarketStatus }) {
  const day = at.slice(-DATE_LENGTH);
  const isToday = wireTime(new Date()).endsWith(day);
  return isToday && speed === '1' ? null : <span class="day">{day}</span>;
}

/** The speed, where it is not that of the wall. */
function Pace({ speed }: { readonly speed: string }) {
  const words = paceText(speed);
  return words === '' ? null : <span class={speed === '0' ? 'pace still' : 'pace'}>{words}</span>;
}

function speedText(speed: string): string {
  if (speed === '0') return 'stands still';
  return speed === 'max' ? 'as fast as the service can' : `${speed} s of the market in a second`;
}
