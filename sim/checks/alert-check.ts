import { assert } from '../../src/base/assert.ts';
import type { InstrumentId } from '../../src/base/ids.ts';
import type { Sequenced } from '../../src/core/command.ts';
import { portsFor } from '../../src/core/decide.ts';
import type { Event } from '../../src/core/event.ts';
import type { Alert } from '../../src/core/lists/alert.ts';
import { instrumentOf, type Ports } from '../../src/core/ports.ts';
import type { State } from '../../src/core/state.ts';
import { metBy } from '../../src/core/step.ts';
import { venueOf } from '../../src/core/venue-of.ts';

/**
 * Every alert that fired had its price, and none that waits has: the last price of the instrument that a command met is
 * compared with each alert on it, one by one.
 */
export function checkAlerts(state: State, ports: Ports, sequenced: Sequenced, events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== 'AlertFired') continue;
    const alert = state.alerts.get(event.account, event.alert);
    // One that ended long ago is forgotten, also where a hundred others ended in the same record.
    if (alert !== undefined) assert(holds(alert, event.price), `alert ${event.alert} fired at its price`);
  }
  const { command } = sequenced;
  const met = command.type === 'PlaceAlert' ? command.instrument : metBy(state, command);
  if (met === undefined || state.alerts.activeCountOn(met) === 0) return;
  const last = countedPrice(state, ports, sequenced, met);
  if (last === undefined) return;
  // A placement fires the alert that it places alone: the others wait for the next move of the market.
  const placed = events.find((event) => event.type === 'AlertPlaced')?.alert;
  for (const alert of state.alerts.values()) {
    if (alert.instrument !== met || alert.end !== undefined) continue;
    if (placed !== undefined && alert.number !== placed) continue;
    assert(!holds(alert, last), `alert ${alert.number} waits for ${alert.price} while the last price is ${last}`);
  }
}

/** The last price of an instrument, where it counts for alerts. */
function countedPrice(state: State, ports: Ports, sequenced: Sequenced, id: InstrumentId): number | undefined {
  const decisionPorts = portsFor(state, ports, sequenced);
  const instrument = instrumentOf(ports, id);
  const { stopped, phase } = venueOf(state, decisionPorts, instrument);
  const counts = instrument.kind === 'index' || (phase === 'Continuous' && !stopped);
  if (!counts) return undefined;
  const print = ports.market.lastPrint(id, decisionPorts.tick);
  const own = state.books.get(id)?.lastTrade;
  return own !== undefined && own.tick >= print.tick ? own.price : print.price;
}

function holds({ way, price }: Alert, last: number): boolean {
  return way === 'Rising' ? last >= price : last <= price;
}
