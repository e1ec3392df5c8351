import { assert } from '../../src/base/assert.ts';
import { price, quantity } from '../../src/base/money.ts';
import type { Random } from '../../src/base/random.ts';
import { basketMargin } from '../../src/core/broker/trials/basket-margin.ts';
import type { Command } from '../../src/core/command.ts';
import { decide, portsFor } from '../../src/core/decide.ts';
import { visibleDepth } from '../../src/core/exchange/book/depth.ts';
import { phaseOf } from '../../src/core/phase-of.ts';
import { type Ports, portsAt } from '../../src/core/ports.ts';
import { holdingsOf, limitsOf, ordersOf, positionFigures, positionsOf } from '../../src/core/query.ts';
import { stateHash } from '../../src/core/snapshot/hash.ts';
import { emptyState, type State } from '../../src/core/state.ts';
import { metBy, step } from '../../src/core/step.ts';
import { decodeGroup } from '../../src/journal/codec.ts';
import type { StoredGroup } from '../../src/journal/journal.ts';
import { assertSameState } from '../../test/kit/same-state.ts';
import { reloaded, storedParts } from '../../test/kit/stored-state.ts';

/** Questions and decisions change nothing, and a dump loads into what it was made of. Source: reliability I21, I32. */
export function checkQuestions(state: State, ports: Ports, random: Random, command: Command): void {
  const before = JSON.stringify(storedParts(state));
  const at = state.at;
  const account = random.pick([...state.accounts]);
  limitsOf(account);
  ordersOf(state, account);
  holdingsOf(account, ports.instruments);
  for (const row of positionsOf(account)) positionFigures(row, price(100_00));
  for (const [id, book] of state.books) visibleDepth(book, ports.market.depth(id, ports.market.tickAt(at)), 5);
  const traded = [...state.books.keys()];
  if (traded.length > 0) {
    const terms = {
      priceType: 'MKT',
      retention: 'DAY',
      quantity: quantity(250),
      price: price(0),
      trigger: price(0),
    } as const;
    basketMargin(state, portsAt(ports, state, at), account, [
      { instrument: random.pick(traded), side: 'B', product: 'M', terms },
    ]);
  }
  if (hasMetPhase(state, ports, command)) checkDecision(state, ports, command);
  assert(JSON.stringify(storedParts(state)) === before, `${command.type} and questions change nothing`);
  const loaded = reloaded(state);
  assert(JSON.stringify(storedParts(loaded)) === before, 'a dump loads into what it was made of');
  assertSameState(state, loaded);
}

function checkDecision(state: State, ports: Ports, command: Command): void {
  const sequenced = { seq: state.seq + 1, at: state.at, command };
  const decided = () => JSON.stringify(decide(state, portsFor(state, ports, sequenced), sequenced));
  const first = decided();
  assert(decided() === first, 'a decision can be made again');
}

/**
 * True unless the command meets a book that has yet to come to the phase of its instrument: a step brings it there
 * before it decides.
 */
function hasMetPhase(state: State, ports: Ports, command: Command): boolean {
  const id = metBy(state, command);
  if (id === undefined) return true;
  const desk = portsFor(state, ports, { seq: state.seq + 1, at: state.at, command });
  return phaseOf(state, desk, id) === (state.books.get(id)?.phase ?? 'Continuous');
}

/**
 * Every journaled command, decided again from the first on, gives the same events to the last byte, and the same state.
 * Source: reliability P4, I30, I36.
 */
export function decideAgain(groups: Iterable<StoredGroup>, ports: Ports, hash: string): void {
  const state = emptyState();
  for (const group of groups) {
    for (const { seq, at, command, events } of decodeGroup(group)) {
      const [now, told] = [JSON.stringify(step(state, ports, { seq, at, command }).events), JSON.stringify(events)];
      assert(now === told, `record ${seq}, ${command.type}, again: ${now}, not ${told}`);
    }
  }
  assert(stateHash(state) === hash, 'what is decided again comes to the same state');
}
