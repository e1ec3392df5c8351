import { must } from '../../base/assert.ts';
import type { Tick } from '../../base/ids.ts';
import type { ReviseMargins } from '../command.ts';
import type { MarginsRevised } from '../event.ts';
import { dueAccounts, isDue } from '../portions/portion.ts';
import type { PortionDone } from '../portions/portion-events.ts';
import type { Ports } from '../ports.ts';
import type { State } from '../state.ts';

/**
 * Revises the figures of margins; `step` measures the accounts of the portion by them. There is no event when they are
 * of this tick or a later one already and the files are the same, or when the portion is not due. Throws for a file
 * that the ports do not have, because the sender of the command must store it first. Source: market-rules R4.11.
 */
export function decideRevision(
  state: State,
  ports: Ports,
  { tick, spanFiles, portion }: ReviseMargins,
): (MarginsRevised | PortionDone)[] {
  if (!isDue(state, 'ReviseMargins', portion)) return [];
  const range = dueAccounts(state, ports.portions);
  const end = range.isLast ? {} : { next: range.to };
  if (portion !== undefined) return [{ type: 'PortionDone', of: 'ReviseMargins', number: portion, ...end }];
  const files = spanFiles ?? state.riskFiles;
  for (const file of files) must(ports.spanFiles.get(file), `SPAN file ${file} is there`);
  const later = Math.max(tick, state.riskTick) as Tick;
  if (later === state.riskTick && String(files) === String(state.riskFiles)) return [];
  const revised: MarginsRevised = { type: 'MarginsRevised', tick: later, spanFiles: [...files] };
  return range.isLast ? [revised] : [revised, { type: 'PortionDone', of: 'ReviseMargins', number: 0, ...end }];
}

/** Source: market-rules R4.11. For `apply` alone. */
export function reviseMargins(state: State, { tick, spanFiles }: MarginsRevised): void {
  state.riskTick = tick;
  state.riskFiles = spanFiles;
}
