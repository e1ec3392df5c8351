import { InvariantError } from '../base/assert.ts';
import { withoutControls } from '../base/printable.ts';
import type { LogLevel } from '../config.ts';
import { ProgressReport } from '../os/progress-report.ts';
import { endAtOnce } from './exit-codes.ts';

/** Writes to standard error when the level of the log lets it: one line, but for the stack of a failure. */
export function note(level: LogLevel, gravity: 'error' | 'warn' | 'info' | 'debug', message: string): void {
  if (lets(level, gravity)) {
    console.error(`sauda: ${gravity === 'error' ? message : withoutControls(message)}`);
  }
}

/** The report on the progress of a start, on standard error. Levels that leave warnings out leave it out too. */
export function startProgress(level: LogLevel): ProgressReport {
  return new ProgressReport(lets(level, 'warn') ? process.stderr : { write: () => undefined });
}

function lets(level: LogLevel, gravity: LogLevel): boolean {
  const order: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug'];
  return order.indexOf(gravity) <= order.indexOf(level);
}

export function reportFailure(level: LogLevel, error: unknown): void {
  if (error instanceof InvariantError) endAtOnce(error);
  note(level, 'error', `a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
