import { must } from '../../src/base/assert.ts';
import type { Exchange, InstrumentId, Tick } from '../../src/base/ids.ts';
import { civilDate, type IstDay, istInstant, MONTHS, SECOND_MS, twoDigits } from '../../src/base/time.ts';
import type { Instrument, Option } from '../../src/core/instrument.ts';
import { middle, type Subject } from './subject.ts';

/** The options of one strike. */
export interface Pair {
  readonly strike: number;
  readonly call: Option;
  readonly put: Option;
}

const MORNING = 36_000_000;

/** The expiries of an underlying that live on a day, ascending. */
export function expiriesOn({ directory }: Subject, underlying: InstrumentId, on: IstDay): readonly IstDay[] {
  return directory.expiries(underlying, istInstant(on, MORNING));
}

/** The strikes of an expiry on a day, ascending, those with a call and a put. */
export function pairsOf({ directory }: Subject, underlying: InstrumentId, expiry: IstDay, on: IstDay): Pair[] {
  const byStrike = new Map<number, { CE?: Option; PE?: Option }>();
  for (const option of directory.chain(underlying, expiry, istInstant(on, MORNING))) {
    const known = byStrike.get(option.strike) ?? {};
    known[option.optionType] = option;
    byStrike.set(option.strike, known);
  }
  return [...byStrike].flatMap(([strike, { CE: call, PE: put }]) => (call && put ? [{ strike, call, put }] : []));
}

/** The pair whose strike is nearest to a level in paise. */
export function nearestPair(pairs: readonly Pair[], level: number): Pair {
  const off = (pair: Pair) => Math.abs(pair.strike - level);
  return must(
    pairs.reduce<Pair | undefined>((best, pair) => (best && off(best) <= off(pair) ? best : pair), undefined),
    'a strike',
  );
}

/** The future of an expiry; `undefined` when none is listed on the day. */
export function futureOf(
  { directory }: Subject,
  [exchange, name]: readonly [Exchange, string],
  expiry: IstDay,
  on: IstDay,
): Instrument | undefined {
  const { year, month, day } = civilDate(expiry);
  const symbol = `${name}${twoDigits(day)}${MONTHS[month - 1]}${twoDigits(year % 100)}F`;
  return directory.find(exchange, symbol, istInstant(on, MORNING));
}

/** The futures of an underlying that live on a day, the nearest first. */
export function futuresOn(
  subject: Subject,
  name: string,
  underlying: InstrumentId,
  on: IstDay,
): [IstDay, Instrument][] {
  return expiriesOn(subject, underlying, on).flatMap((expiry) => {
    const future = futureOf(subject, ['NFO', name], expiry, on);
    return future ? [[expiry, future] as [IstDay, Instrument]] : [];
  });
}

/** Years from a tick to an expiry in calendar time. */
export function yearsTo(option: Option, tick: Tick): number {
  return (option.expiresAt / SECOND_MS - tick) / (365 * 86_400);
}

/** The forward of an expiry in paise, by parity at the strike nearest to a level. */
export function forwardBy(subject: Subject, pair: Pair, tick: Tick): number {
  return pair.strike + middle(subject, pair.call.id, tick) - middle(subject, pair.put.id, tick);
}
