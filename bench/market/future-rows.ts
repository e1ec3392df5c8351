import type { InstrumentId } from '../../src/base/ids.ts';
import { tickOf } from '../../src/base/tick.ts';
import type { IstDay } from '../../src/base/time.ts';
import { isDerivative } from '../../src/core/instrument.ts';
import { futuresOn } from './chains.ts';
import type { Figures } from './figures.ts';
import { deviation, mean, median } from './samples.ts';
import type { Span } from './span.ts';
import { idOf, middle, type Subject, tradingDays } from './subject.ts';

const NAMES = ['NIFTY', 'BANKNIFTY', 'RELIANCE', 'HDFCBANK'] as const;
const AFTERNOON = 54_000;
/** The near month is looked at before its roll, the next at these days to its expiry. */
const BEFORE_ROLL = 8;
const NEXT_DAYS = [60, 40] as const;
const SLACK = 1;

/** Rows of futures: volume, open interest and its roll, the basis. */
export function futureRows(subject: Subject, { minutes }: Span): Figures {
  const days = tradingDays(subject, ...minutes).filter((on) => subject.facts.calendar.isTradingDay('NSE', on));
  const figures: Record<string, number> = {};
  for (const name of NAMES) {
    const underlying = idOf(subject, 'NSE', name.endsWith('NIFTY') ? name : `${name}-EQ`);
    const { lots, interest } = nearMonth(subject, name, underlying, days);
    figures[`futureLots.${name}`] = median(lots);
    figures[`futureInterest.${name}`] = median(interest);
  }
  return { ...figures, ...roll(subject, days), ...basis(subject, days) };
}

function nearMonth(subject: Subject, name: string, underlying: InstrumentId, days: readonly IstDay[]) {
  const lots: number[] = [];
  const interest: number[] = [];
  for (const on of days.filter((_, i) => i % 3 === 0)) {
    const [near] = futuresOn(subject, name, underlying, on);
    if (!near || near[0] - on < BEFORE_ROLL) continue;
    const [bar] = subject.market.daily(near[1].id, on, on, tickOf(on, 86_399));
    if (!bar) continue;
    lots.push(bar.volume / near[1].lot);
    interest.push(bar.openInterest);
  }
  return { lots, interest };
}

/** The open interest of the second month of NIFTY at days to its own expiry, and on the last day of the near month. */
function roll(subject: Subject, days: readonly IstDay[]): Figures {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const when = (wanted: (on: IstDay, near: IstDay, next: IstDay) => boolean) =>
    median(
      days.flatMap((on) => {
        const [near, next] = futuresOn(subject, 'NIFTY', nifty, on);
        if (!near || !next || !wanted(on, near[0], next[0])) return [];
        const [bar] = subject.market.daily(next[1].id, on, on, tickOf(on, 86_399));
        return bar ? [bar.openInterest] : [];
      }),
    );
  const before = NEXT_DAYS.map(
    (left) => [`nextInterest.${left}`, when((on, _, next) => Math.abs(next - on - left) <= SLACK)] as const,
  );
  return { ...Object.fromEntries(before), 'nextInterest.roll': when((on, near) => on === near) };
}

/** The carry of the near future of NIFTY, percent a year, and what is left of it in basis points of the index. */
function basis(subject: Subject, days: readonly IstDay[]): Figures {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const found = days.flatMap((on) => {
    const tick = tickOf(on, AFTERNOON);
    const [near] = futuresOn(subject, 'NIFTY', nifty, on);
    if (!near || near[0] - on < BEFORE_ROLL || !isDerivative(near[1])) return [];
    const years = (near[1].expiresAt / 1_000 - tick) / (365 * 86_400);
    const carry = Math.log(middle(subject, near[1].id, tick) / subject.market.lastPrint(nifty, tick).price);
    return [{ years, carry }];
  });
  const rate = mean(found.map(({ years, carry }) => carry / years));
  return {
    'basis.rate': 100 * rate,
    'basis.deviation': 10_000 * deviation(found.map(({ years, carry }) => carry - rate * years)),
  };
}
