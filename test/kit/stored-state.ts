import { linesOf, TableLines } from '../../src/base/stored-tables.ts';
import { dumpHead, dumpTables, stateReaders, stateTables } from '../../src/core/snapshot/snapshot.ts';
import { emptyState, type State } from '../../src/core/state.ts';

/** All that is stored of a state, and that its hash covers: the scalars and the tables by their names. */
export function storedParts(state: State): Record<string, unknown> {
  const tables = Array.from(dumpTables(state), ({ name, rows }) => [name, [...rows]] as const);
  return { ...dumpHead(state), ...Object.fromEntries(tables) };
}

/** The state that a service has that starts from a snapshot of this one. */
export function reloaded(state: State): State {
  return stateFrom(linesOf(stateTables(state)));
}

/** Reads the lines of a snapshot as a service does that starts. */
export function stateFrom(lines: Iterable<string>): State {
  const state = emptyState();
  const tables = new TableLines(lines);
  tables.read(stateReaders(state));
  tables.end();
  return state;
}
