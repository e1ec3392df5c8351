import type { IstDay } from '../../src/base/time.ts';
import { day } from './subject.ts';

type Days = readonly [from: IstDay, to: IstDay];

/** The days that rows are measured over. */
export interface Span {
  readonly days: Days;
  readonly minutes: Days;
  readonly seconds: Days;
  /** Days of ordinary weeks on which books, prints and chains are looked at. */
  readonly looks: Days;
  /** Shares of each class of turnover whose trades are counted. */
  readonly sharesInClass: number;
}

export const FULL: Span = {
  days: [day('2020-01-02'), day('2026-11-20')],
  minutes: [day('2025-07-01'), day('2026-06-30')],
  seconds: [day('2026-05-04'), day('2026-06-12')],
  looks: [day('2026-05-04'), day('2026-06-30')],
  sharesInClass: 40,
};
