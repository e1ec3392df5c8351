import { join } from 'node:path';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import { calendarHours } from '../session/sessions.ts';
import { SyntheticMarket } from './synthetic-market.ts';

/** For tests: the instruments that are really listed, and their market. */

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
export const LISTED = data.master();

/** The market of seed 1 in the hours of a regime. */
export function listedMarket(regime: HoursRegime): SyntheticMarket {
  return new SyntheticMarket({
    seed: 1,
    regime,
    instruments: LISTED,
    facts: data.facts,
    calendar: calendarHours(data),
  });
}
