/** The command `sauda mcp`. The server is loaded when the command runs, so that no other command waits for it. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { toPaise } from '../../client/src/money.ts';
import type { McpFlags, McpParts } from './run-server.ts';

const ORDER_VALUE = '100000';
const ORDERS = '20';
const LAST_PORT = 65_535;

/** Adds the command. */
export function addMcpCommand(program: Command, parts: McpParts): void {
  program
    .command('mcp')
    .description('serve agents by the Model Context Protocol; credentials come from the environment')
    .option('--http <port>', 'listen on a port of 127.0.0.1 in place of standard input', portNumber)
    .option('--allow-trading', 'offer the tools that place and cancel orders too')
    .option('--allow-time', 'offer the tools of the market clock; it is of all users and needs SAUDA_OPERATOR_TOKEN')
    .addOption(maxOrderValue())
    .option('--max-orders <count>', 'the largest number of orders in one run', wholeNumber, Number(ORDERS))
    .action(async (flags: McpFlags, command: Command) => {
      const { runServer } = await import('./run-server.ts');
      const fault = await runServer(flags, parts);
      if (fault !== undefined) command.error(`error: ${fault}; see docs/guides/mcp.md`);
    });
}

/** Its default is shown as text: the help cannot write a BigInt. */
function maxOrderValue(): Option {
  const option = new Option('--max-order-value <rupees>', 'the largest value of one order');
  return option.argParser(paise).default(paise(ORDER_VALUE), ORDER_VALUE);
}

function portNumber(text: string): number {
  if (isWhole(text) && Number(text) <= LAST_PORT) return Number(text);
  throw new InvalidArgumentError(`a whole number from 0 to ${LAST_PORT} is needed.`);
}

function wholeNumber(text: string): number {
  if (!isWhole(text)) throw new InvalidArgumentError('a whole number is needed.');
  return Number(text);
}

function isWhole(text: string): boolean {
  return /^(0|[1-9]\d{0,4})$/.test(text);
}

function paise(text: string): bigint {
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError('an amount in rupees is needed.');
  return BigInt(toPaise(text));
}
