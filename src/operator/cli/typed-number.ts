import type { Command } from 'commander';

/**
 * The whole number that somebody typed in digits. Ends the command for other words, also those that programs read as
 * numbers: `0x10`, `1e2`.
 */
export function typedWhole(command: Command, text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) refuse(command, text, what, 'a whole number');
  return Number(text);
}

/** As `typedWhole`, with decimals after a point. */
export function typedDecimal(command: Command, text: string, what: string): number {
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(text)) refuse(command, text, what, 'a number');
  return Number(text);
}

function refuse(command: Command, text: string, what: string, form: string): never {
  command.error(`error: ${JSON.stringify(text)} is not a ${what}: write ${form} in digits`);
}
