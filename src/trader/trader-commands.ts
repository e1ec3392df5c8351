/** The commands of traders, in the order in which the help lists them. */
import type { Command } from 'commander';
import { addBookCommands } from './books/order-commands.ts';
import { addPortfolioCommands } from './books/portfolio-commands.ts';
import { addCandlesCommand } from './market/candles-command.ts';
import { addChainCommand } from './market/chain-command.ts';
import { addQuoteCommand } from './market/quote-command.ts';
import { addCancelCommand } from './orders/cancel-command.ts';
import { addGttCommands } from './orders/gtt-commands.ts';
import { addModifyCommand } from './orders/modify-command.ts';
import { addPlaceCommands } from './orders/place-commands.ts';
import { addLoginCommands } from './session/login-commands.ts';
import type { TraderParts } from './trader-parts.ts';
import { addWatchCommand } from './watch/watch-command.ts';

/** Adds every command of traders. */
export function addTraderCommands(program: Command, parts: TraderParts): void {
  const before = program.commands.length;
  addLoginCommands(program, parts);
  addQuoteCommand(program, parts);
  addChainCommand(program, parts);
  addCandlesCommand(program, parts);
  addPlaceCommands(program, parts);
  addModifyCommand(program, parts);
  addCancelCommand(program, parts);
  addBookCommands(program, parts);
  addPortfolioCommands(program, parts);
  addGttCommands(program, parts);
  addWatchCommand(program, parts);
  for (const command of program.commands.slice(before)) command.helpGroup('Commands of traders:');
}
