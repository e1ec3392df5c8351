import { must } from '../../../src/base/assert.ts';
import type { Tick } from '../../../src/base/ids.ts';
import { tickOf } from '../../../src/base/tick.ts';
import type { IstDay } from '../../../src/base/time.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { futuresOn } from '../chains.ts';
import { idOf, listed, middle, type Subject } from '../subject.ts';
import { crossing, type Played } from './trading.ts';

const LAGS = [1, 2, 5, 10, 20, 30, 60, 300, 900, 3_600] as const;
/** Lags from this one on are played on every day, shorter ones on the first days. */
const LONG = 900;
const SHORT_DAYS = 6;
const SHARES = ['RELIANCE-EQ', 'HDFCBANK-EQ', 'TCS-EQ', 'IDEA-EQ'] as const;
const FUTURES = ['NIFTY', 'BANKNIFTY', 'RELIANCE'] as const;
const [FROM, TO] = [33_600, 54_600] as const;

/**
 * Strategy B: instruments that rose over a lag are bought (momentum) or sold (contrarian) at the touch and closed a lag
 * later.
 */
export function lags(subject: Subject, days: readonly IstDay[]): Played {
  const trades: Record<string, number[]> = {};
  for (const lag of LAGS) {
    for (const on of lag >= LONG ? days : days.slice(0, SHORT_DAYS)) {
      for (const instrument of instrumentsOn(subject, on)) {
        const name = `B ${instrument.symbol} ${instrument.kind} ${lag} s`;
        trades[`${name} momentum`] ??= [];
        trades[`${name} contrarian`] ??= [];
        for (let second = FROM + lag; second + lag <= TO; second += Math.max(60, lag)) {
          const [before, now, after] = [second - lag, second, second + lag].map((s) => tickOf(on, s)) as [
            Tick,
            Tick,
            Tick,
          ];
          const move = middle(subject, instrument.id, now) - middle(subject, instrument.id, before);
          if (move === 0) continue;
          const along = crossing(subject, instrument, move > 0 ? 'B' : 'S', [now, after]);
          const against = crossing(subject, instrument, move > 0 ? 'S' : 'B', [now, after]);
          if (along !== undefined) trades[`${name} momentum`]?.push(along);
          if (against !== undefined) trades[`${name} contrarian`]?.push(against);
        }
      }
    }
  }
  return { trades, notes: [] };
}

function instrumentsOn(subject: Subject, on: IstDay): Instrument[] {
  const futures = FUTURES.map((name) => {
    const underlying = idOf(subject, 'NSE', name === 'RELIANCE' ? 'RELIANCE-EQ' : name);
    return must(futuresOn(subject, name, underlying, on)[0], name)[1];
  });
  return [...SHARES.map((symbol) => listed(subject, 'NSE', symbol, on)), ...futures];
}
