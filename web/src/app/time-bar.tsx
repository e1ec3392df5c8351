/**
 * The market's time, its speed, and the phase of each exchange, as the channel `clock` has them. The clock is of all
 * users, so a session of one shows it and cannot set it: its controls are on the operator's page.
 */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { wireTime } from '../../../client/src/times.ts';
import type { MarketStatus } from '../../../client/src/wire.ts';
import { marketStatus } from '../store/link.ts';
import { marketTime, paceText, runMarketTime } from '../store/market-time.ts';
import { hasScenarios, marketKind } from '../store/service-facts.ts';
import { Menu } from '../ui/menu.tsx';
import { phaseText } from './phases.ts';

/** The kinds of market that are said, beside the usual one. */
const KINDS: Readonly<Record<string, string>> = {
  replay: 'replay: the prices of recorded days',
  live: 'live: orders reach an exchange',
};
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
      <Menu label="Market time and phases" face={<Face status={status} />}>
        {() => (
          <dl class="phases">
            {factsOf(status).map(([name, text]) => (
              <>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </>
            ))}
          </dl>
        )}
      </Menu>
    </div>
  );
}

function Face({ status }: { readonly status: MarketStatus }) {
  const pace = paceText(status.speed);
  return (
    <>
      <MarketDay status={status} />
      <time>{marketTime}</time>
      {pace !== '' && <span class={status.speed === '0' ? 'pace still' : 'pace'}>{pace}</span>}
      {KINDS[marketKind.value] !== undefined && <span class="mark">{marketKind}</span>}
      {hasScenarios.value && <span class="mark">scenarios</span>}
    </>
  );
}

function factsOf({
  marketTime: at,
  speed,
  exchanges,
}: MarketStatus): readonly (readonly [string, ComponentChildren])[] {
  const kind = KINDS[marketKind.value];
  return [
    ['Market time', `${at} IST`],
    ['Speed', speedText(speed)],
    ...exchanges.map(({ exchange, phase, nextPhase, nextAt }) => {
      const next = nextPhase === '' ? '' : `, then ${phaseText(nextPhase)} at ${nextAt}`;
      return [exchange, `${phaseText(phase)}${next}`] as const;
    }),
    ...(kind === undefined ? [] : [['Market', kind] as const]),
    ...(hasScenarios.value
      ? [['Scenarios', 'outcomes come on demand, as by remarks that begin with sim:'] as const]
      : []),
    [
      'Set by',
      <>
        the operator, for all users: <code>npx sauda operator page</code>
      </>,
    ],
  ];
}

/** The date, where it is not that of the wall or may soon be another one. */
function MarketDay({ status: { marketTime: at, speed } }: { readonly status: MarketStatus }) {
  const day = at.slice(-DATE_LENGTH);
  const isToday = wireTime(new Date()).endsWith(day);
  return isToday && speed === '1' ? null : <span class="day">{day}</span>;
}

function speedText(speed: string): string {
  if (speed === '0') return 'stands still';
  return speed === 'max' ? 'as fast as the service can' : `${speed} s of the market in a second`;
}
