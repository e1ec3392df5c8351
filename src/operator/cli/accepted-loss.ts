import { CommandFailed, EXIT_USAGE } from '../../os/command-failed.ts';

/** The sequence number of `--accept-loss`; `undefined` when it is not given. Throws `CommandFailed` for other words. */
export function acceptedLoss(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CommandFailed(`--accept-loss is ${JSON.stringify(text)}: it must be a sequence number`, EXIT_USAGE);
}
