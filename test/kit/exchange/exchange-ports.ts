import { join } from 'node:path';
import type { InstrumentId } from '../../../src/base/ids.ts';
import type { Price } from '../../../src/base/money.ts';
import type { IstDay } from '../../../src/base/time.ts';
import type { ShareBands } from '../../../src/core/exchange/guards/share-band.ts';
import { dateOfBegin } from '../../../src/core/trading-days.ts';
import { calendarHours } from '../../../src/market/session/sessions.ts';
import { type ActionSource, NO_ACTIONS } from '../../../src/reference/corporate-actions/announced-actions.ts';
import { loadReferenceData } from '../../../src/reference/instruments/load.ts';
import { testPorts } from '../ports.ts';
import { FallingMarket } from './falling-market.ts';

/** The tables of the service: instruments, calendar and dated rules. */
export const DATA = loadReferenceData(join(import.meta.dirname, '../../../data'));

/**
 * The ports of a service in the exchange's hours: the real instruments, and the synthetic market of a seed with the
 * falls that a test asks for.
 */
export function exchangePorts(seed: number, shareBands?: () => ShareBands, actions: ActionSource = NO_ACTIONS) {
  const closeOf = (id: InstrumentId, day: IstDay, asOf: IstDay): Price => market.closeOn(id, day, asOf);
  const instruments = DATA.master({ closeOf, actions, beginOf: (day) => dateOfBegin(DATA.days, day) });
  const calendar = calendarHours(DATA);
  const terms = { seed, regime: 'exchange', facts: DATA.facts, calendar, instruments, actions } as const;
  const market = new FallingMarket(shareBands === undefined ? terms : { ...terms, shareBands });
  market.isIndex = (id) => instruments.get(id)?.kind === 'index';
  const { days } = DATA;
  return testPorts({ instruments, market, charges: DATA.rules.charges, days });
}
