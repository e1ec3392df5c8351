import type { Command } from 'commander';
import type { OrderNumber } from '../../../base/ids.ts';
import type { WhyReport } from '../../../engine/why/why-report.ts';
import { type DataFolder, dataFolder } from '../../../folder/data-folder.ts';
import { CommandFailed, EXIT_USAGE } from '../../../os/command-failed.ts';
import { configOf, type Environment, type Flags, withSettings } from '../command-settings.ts';
import { whyText } from '../reports/why-report.ts';

/** The parts of the command line that this command uses. */
export interface WhyWork {
  /**
   * How an order was judged, from the journal of a stopped or running service. Throws `CommandFailed` for an unknown
   * order.
   */
  readonly why: (folder: DataFolder, order: OrderNumber) => Promise<WhyReport>;
}

interface WhyCommandParts extends Environment, WhyWork {
  readonly print: (text: string) => void;
}

/** Adds the command that prints how an order was judged. */
export function addWhyCommand(program: Command, parts: WhyCommandParts): void {
  const why = program
    .command('why <orderNumber>')
    .description('print how an order and its modifications were judged, check by check, from the journal')
    .option('--json', 'as an object in JSON');
  withSettings(why, ['data']).action(async (text: string, flags: Flags & { json?: true }) => {
    if (!/^\d{1,16}$/.test(text)) throw new CommandFailed(`${JSON.stringify(text)} is not an order number`, EXIT_USAGE);
    const report = await parts.why(dataFolder(configOf(flags, parts).data), Number(text) as OrderNumber);
    parts.print(flags.json ? JSON.stringify(report, null, 2) : whyText(report));
  });
}
