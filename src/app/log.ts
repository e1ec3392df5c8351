import { InvariantError } from '../base/assert.ts';
import { withoutControls } from '../base/printable.ts';
import type { LogLevel } from '../config.ts';
import { endAtOnce } from './exit-codes.ts';

/** Writes to standard error when the level of the log lets it: one line, but for the stack of a failure. */
export function note(level: LogLevel, gravity: 'error' | 'warn' | 'info', message: string): void {
  const order: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug'];
  if (order.indexOf(gravity) <= order.indexOf(level)) {
    console.error(`sauda: ${gravity === 'error' ? message : withoutControls(message)}`);
  }
}

export function reportFailure(level: LogLevel, error: unknown): void {
  if (error instanceof InvariantError) endAtOnce(error);
  note(level, 'error', `a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
