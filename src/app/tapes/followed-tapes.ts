/**
 * The tapes that the market of a data folder follows: which are in force, and whether they may be others than those of
 * the starts before.
 */
import { istDay } from '../../base/time.ts';
import type { MarketName } from '../../config.ts';
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
  const change = pastChange(folder, identity, now, state);
  if (change !== undefined) {
    throw new CommandFailed(
      `${folder.folder} has traded, and its past would change: ${change}. ` +
        'Use another data folder, or bring the tapes back to what they were (sauda tape import, sauda tape remove).',
      EXIT_CONFIG,
    );
  }
  notePlayed(folder, now);
  if (fixedMarket(folder, identity) !== identity.market) replaceIdentity(folder.identity, identity);
}

/** How tapes would change the past of a folder, in words; `undefined` when its past stays, or it has not traded. */
export function pastChange(folder: DataFolder, identity: Identity, now: PlayedTapes, state: State): string | undefined {
  if (!hasTraded(state)) return undefined;
  const noted = orConfigFault(readPlayedTapes(folder.playedTapes));
  return changeOfPast(noted ?? { market: fixedMarket(folder, identity), tapes: [] }, now, istDay(state.at));
}

/** Notes the tapes that the market of a folder follows; of the leader, in the folder of a member that follows it. */
export function notePlayed({ playedTapes }: DataFolder, now: PlayedTapes): void {
  const noted = orConfigFault(readPlayedTapes(playedTapes));
  if (now.tapes.length > 0 || noted !== undefined) writePlayedTapes(playedTapes, now);
}

function fixedMarket(folder: DataFolder, { market }: Identity): MarketName {
  return orConfigFault(readIdentity(folder.identity))?.market ?? market;
}

/** True once an order was placed: prices that were decided by are in the journal. */
function hasTraded({ lastOrder }: State): boolean {
  return lastOrder > 0;
}
