import type { IstDay } from '../../../src/base/time.ts';
import { expiriesOn } from '../chains.ts';
import { day, idOf, type Subject, tradingDays } from '../subject.ts';
import { expiryMinute } from './expiry-minute.ts';
import { indexBasket } from './index-basket.ts';
import { lags } from './lags.ts';
import { marketMaking } from './market-making.ts';
import { nightHour } from './night-hour.ts';
import { recogniseMinute } from './recognise-minute.ts';
import { expiringArbitrage, staticArbitrage } from './static-arbitrage.ts';
import { straddleTiming } from './straddles.ts';
import type { Played } from './trading.ts';
import { twoExchanges } from './two-exchanges.ts';

/** How many days each strategy plays. */
export interface Effort {
  readonly recorded: number;
  readonly minutes: number;
  readonly nights: number;
  readonly lags: number;
  readonly making: number;
  readonly looks: number;
}

export const FULL_EFFORT: Effort = { recorded: 13, minutes: 5, nights: 30, lags: 40, making: 3, looks: 8 };

/** Days on which closing auctions are held, as today: the market that is traded now. */
const [FIRST, LAST] = [day('2026-09-01'), day('2029-10-31')] as const;
const STRADDLES = [day('2024-01-01'), day('2026-07-31')] as const;
const RECORDED_NIGHTS = 120;

/** The strategies of one market by their letters. */
export const STRATEGIES: Readonly<Record<string, (subject: Subject, effort: Effort) => Played>> = {
  A: (subject, { recorded, minutes }) => {
    const days = sessionDays(subject);
    return recogniseMinute(subject, days.slice(0, recorded), days.slice(recorded, recorded + minutes));
  },
  N: (subject, { nights }) => {
    if (subject.regime === 'exchange') return { trades: {}, notes: [] };
    const days = sessionDays(subject);
    return nightHour(subject, days.slice(0, RECORDED_NIGHTS), days.slice(RECORDED_NIGHTS, RECORDED_NIGHTS + nights));
  },
  B: (subject, effort) => lags(subject, sessionDays(subject).slice(0, effort.lags)),
  C: (subject, { making }) => marketMaking(subject, sessionDays(subject).slice(0, making)),
  D: (subject, { looks }) => twoExchanges(subject, sessionDays(subject).slice(0, looks)),
  E: (subject, { minutes }) => indexBasket(subject, sessionDays(subject).slice(0, minutes)),
  F: (subject, { looks }) => {
    const ordinary = staticArbitrage(subject, sessionDays(subject).slice(0, looks));
    const last = expiringArbitrage(subject, expiryDays(subject).slice(0, looks));
    return { trades: { ...ordinary.trades, ...last.trades }, notes: [...ordinary.notes, ...last.notes] };
  },
  G: (subject) => expiryMinute(subject, expiryDays(subject)),
  H: (subject) =>
    straddleTiming(
      subject,
      tradingDays(subject, ...STRADDLES).filter((on) => trades(subject, on)),
    ),
};

function trades({ facts }: Subject, on: IstDay): boolean {
  return facts.calendar.isTradingDay('NSE', on);
}

function sessionDays(subject: Subject): IstDay[] {
  return tradingDays(subject, FIRST, LAST).filter((on) => trades(subject, on));
}

function expiryDays(subject: Subject): IstDay[] {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  return sessionDays(subject).filter((on) => expiriesOn(subject, nifty, on)[0] === on);
}
