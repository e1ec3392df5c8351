import type { Command } from '../../src/core/command.ts';
import { SERVICE, type Submission } from '../../src/engine/port.ts';

/** A command that nobody asked for, as it is submitted. */
export function unasked(command: Command): Submission {
  return { command, origin: SERVICE };
}
