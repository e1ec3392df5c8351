import type { Command } from 'commander';
import { addressOf, type Environment, type Flags, withSettings } from './command-settings.ts';

/**
 * Adds `sauda operator page`. The token stands after `#`, which a browser sends to nobody; the page takes it and
 * removes it from the address at once.
 */
export function addPageCommand(
  program: Command,
  parts: Environment & { readonly print: (text: string) => void },
): void {
  const operator = program.command('operator').description('the page of the operator');
  const page = operator.command('page').description('print the address of the page, which carries the token: a secret');
  withSettings(page, ['data', 'operatorPort']).action((flags: Flags) => {
    const { port, token } = addressOf(flags, parts);
    parts.print(`http://127.0.0.1:${port}/#${token}`);
  });
}
