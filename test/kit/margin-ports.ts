import { firstTickOf } from '../../src/base/tick.ts';
import type { IstDay } from '../../src/base/time.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import { MARGINS, TODAY } from '../../src/core/margin/margin-fixture.ts';
import type { Market } from '../../src/core/market.ts';
import type { DecisionPorts } from '../../src/core/ports.ts';
import { portsAtTick, testPorts } from './ports.ts';

/**
 * The ports of a market and its instruments, with the fixture's rates; the figures for margins are those of a day's
 * start.
 */
export function marginPorts(market: Market, listed: readonly Instrument[], day: IstDay = TODAY): DecisionPorts {
  const byId = new Map(listed.map((instrument) => [instrument.id, instrument]));
  const instruments = { get: (id: Instrument['id']) => byId.get(id) };
  return portsAtTick(testPorts({ instruments, market, margins: MARGINS }), firstTickOf(day));
}
