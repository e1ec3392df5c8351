/**
 * The tapes that the market of a data folder follows: which are in force, and whether they may be others than those of
 * the starts before.
 */
import { istDay } from '../../base/time.ts';
import type { State } from '../../core/state.ts';
import type { DataFolder } from '../../folder/data-folder.ts';
import { type Identity, readIdentity, replaceIdentity } from '../../folder/identity.ts';
import { changeOfPast, type PlayedTapes, readPlayedTapes, writePlayedTapes } from '../../folder/played-tapes.ts';
import { TapeStore } from '../../folder/tapes/tape-store.ts';
import type { RecordedDays } from '../../market/recorded/recorded-days.ts';
import { CommandFailed, EXIT_CONFIG, orConfigFault } from '../../os/command-failed.ts';

/** The recorded days of a data folder. Throws `TapeStoreError` when a tape is damaged. */
export function recordedDaysOf(folder: DataFolder): RecordedDays {
  return new TapeStore(folder.tapes);
}

/** The tapes that a market follows: none on the synthetic one. */
export function followedTapes({ market }: Pick<Identity, 'market'>, recorded: RecordedDays): PlayedTapes {
  return { market, tapes: market === 'synthetic' ? [] : recorded.instruments() };
}

/**
 * Refuses to go on with tapes that would change the past of a folder that has traded; else notes those that are
 * followed from now on, and the market in the folder's identity. Throws `CommandFailed`.
 */
export function keepPast(folder: DataFolder, identity: Identity, now: PlayedTapes, state: State): void {
  const noted = orConfigFault(readPlayedTapes(folder.playedTapes));
  const fixed = orConfigFault(readIdentity(folder.identity))?.market ?? identity.market;
  const before = noted ?? { market: fixed, tapes: [] };
  const change = hasTraded(state) ? changeOfPast(before, now, istDay(state.at)) : undefined;
  if (change !== undefined) {
    throw new CommandFailed(
      `${folder.folder} has traded, and its past would change: ${change}. ` +
        'Use another data folder, or bring the tapes back to what they were (sauda tape import, sauda tape remove).',
      EXIT_CONFIG,
    );
  }
  if (now.tapes.length > 0 || noted !== undefined) writePlayedTapes(folder.playedTapes, now);
  if (fixed !== identity.market) replaceIdentity(folder.identity, identity);
}

/** True once an order was placed: prices that were decided by are in the journal. */
function hasTraded({ lastOrder }: State): boolean {
  return lastOrder > 0;
}
