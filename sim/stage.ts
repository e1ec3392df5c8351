import { join } from 'node:path';
import { must } from '../src/base/assert.ts';
import type { HoursRegime } from '../src/base/market/hours-regime.ts';
import type { Random } from '../src/base/random.ts';
import { type IstDay, parseIsoDay } from '../src/base/time.ts';
import type { PortionLimits } from '../src/core/portions/due-portion.ts';
import type { Ports } from '../src/core/ports.ts';
import { everyDaySettledAs } from '../src/core/trading-days.ts';
import { calendarHours, Sessions } from '../src/market/session/sessions.ts';
import { KNOWN_DAYS } from '../src/market/synthetic/paths/span-of-days.ts';
import { loadReferenceData } from '../src/reference/instruments/load.ts';
import { testPorts } from '../test/kit/ports.ts';
import { SmallExchange } from './listed.ts';
import { SmallMarket } from './market.ts';

const data = loadReferenceData(join(import.meta.dirname, '../data'));
/**
 * Days from which a run may begin: half a year with holidays, a Muhurat evening and the dates on which the timetable
 * changes.
 */
const FIRST = must(parseIsoDay('2026-07-20'), 'a date');
const SPAN_DAYS = 150;

/** Where one run takes place: a market, what trades on it, and the hours. A pure function of its seed. */
export interface Stage {
  readonly regime: HoursRegime;
  readonly first: IstDay;
  readonly exchange: SmallExchange;
  readonly market: SmallMarket;
  readonly ports: Ports;
}

/** In one run of seven stops fire that are reached as they come. */
function strictTriggerOf(seed: number): boolean {
  return seed % 7 !== 5;
}

/** In every other run the work over all accounts comes in portions of one to three, so crashes fall between two. */
function portionsOf(seed: number): PortionLimits | undefined {
  return seed % 2 === 0 ? { accounts: 1 + ((seed / 2) % 3), work: Number.POSITIVE_INFINITY } : undefined;
}

export function stageOf(random: Random, seed: number): Stage {
  const regime = random.pick(['always', 'exchange', 'exchange'] as const);
  const days = regime === 'exchange' ? data.days : everyDaySettledAs(data.days);
  const first = (FIRST + random.below(SPAN_DAYS)) as IstDay;
  const { exchange, market, ports } = stageParts(regime, first, random.next(), days);
  const portions = portionsOf(seed);
  const ruled = { ...ports, strictTrigger: strictTriggerOf(seed), ...(portions && { portions }) };
  return { regime, first, exchange, market, ports: ruled };
}

function stageParts(regime: HoursRegime, first: IstDay, seed: number, days: Ports['days'] & object) {
  const exchange = new SmallExchange(first, days);
  const sessions = new Sessions(regime, calendarHours(data), seed, KNOWN_DAYS);
  const market = new SmallMarket({ seed, instruments: exchange, sessions, days });
  const ports: Ports = testPorts({ instruments: exchange, market, days, charges: data.rules.charges });
  return { exchange, market, ports };
}
