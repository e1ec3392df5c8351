/**
 * Starts the engine over the journal of a folder: opens the journal, recovers the state, starts the timers, and stops
 * all of it in order. The settings and the market come from the caller.
 */

import { join } from 'node:path';
import { type EpochMs, SECOND_MS, type WallMs } from '../base/time.ts';
import type { Command, SetClock } from '../core/command.ts';
import type { Ports } from '../core/ports.ts';
import type { State } from '../core/state.ts';
import { type FileJournal, openFileJournal } from '../journal/file-journal.ts';
import type { Head, Journal } from '../journal/journal.ts';
import { type Recovered, recover } from '../journal/recovery.ts';
import { SnapshotFolder } from '../journal/snapshot-file.ts';
import { chunkFiles } from '../os/chunk-file.ts';
import { type BeginPart, UNWATCHED } from '../os/progress.ts';
import type { Views } from '../views/views.ts';
import type { LimitedShares, SpanFilesOn } from './day-driver.ts';
import type { Log } from './day-notes.ts';
import { Engine, type EngineParts } from './engine.ts';
import type { Subscriber } from './feed/durable-feed.ts';
import { type Live, liveSource } from './live.ts';
import { ROWS_FOLDER } from './rows-folder.ts';
import type { EngineLimits } from './sequencer.ts';
import { lowerBackgroundPriority } from './snapshots/background-threads.ts';
import { SnapshotDriver } from './snapshots/snapshot-driver.ts';
import { MarketClock } from './time/market-clock.ts';
import { everySecond } from './time/ticker.ts';

export interface EngineSettings {
  /** The folder of the journal and its snapshots; made when it does not exist. */
  readonly folder: string;
  /** The file of the high-water mark, when it is to be on another disk. */
  readonly mark?: string;
  /** The sequence number at which the operator agrees that a journal with a lost tail ends. */
  readonly acceptLoss?: number;
  readonly snapshotRecords: number;
  readonly snapshotMinutes: number;
  /** The folder to which segments are moved once they are compressed, as an absolute path; they stay when absent. */
  readonly archive?: string;
  readonly limits?: Partial<EngineLimits>;
}

export interface EngineSurroundings {
  readonly ports: Ports;
  readonly spanFilesOn?: SpanFilesOn;
  readonly limitedShares?: LimitedShares;
  /** The wall clock: the market follows it until its own clock is set. */
  readonly wall: () => WallMs;
  /** As of `EngineParts`. */
  readonly failStop: (error: Error, command?: Command) => void;
  /**
   * Called with the recovered state and views, which the engine goes on with, and the present instant of the market,
   * before anything is asked of the ports.
   */
  readonly onRecovered?: (state: State, views: Views, now: EpochMs) => void;
  /**
   * Called with the recovered state and the present instant of the market, before `onRecovered`: the command with which
   * the start sets the clock, if it does. A clock that is set then stands still until `letTimePass`.
   */
  readonly setsClock?: (state: State, now: EpochMs) => SetClock | undefined;
  /** Receives reports on snapshots. */
  readonly log: Log;
  /** True when clients wait for the engine: the day and the books meet the present afterwards. False when absent. */
  readonly isAwaited?: boolean;
  /**
   * True when nobody waits for the next start: it takes no last snapshot, whose writing would hold up what others write
   * to the disk. False when absent.
   */
  readonly endsQuietly?: boolean;
  /** Watches how far recovery is, in records. */
  readonly begin?: BeginPart;
  /** Receives every record that this process makes. */
  readonly follower?: Subscriber;
}

/** An engine that runs over the journal of a folder. */
export interface RunningEngine {
  readonly engine: Engine;
  /** How the recovery went, and the state hash that it came to. */
  readonly recovered: Omit<Recovered<Live>, 'replica'> & { readonly stateHash: string };
  /** The last record that is durable, and the chain's hash there. */
  readonly head: () => Head;
  /** Lets the market's clock go where it stood still for the start. */
  readonly letTimePass: () => void;
  /** Refuses new commands, finishes those that were taken, takes a snapshot unless it ends quietly, and closes. */
  stop(): Promise<void>;
}

/** A tenth of a processor that others want too. */
const BACKGROUND_NICE = 10;

/** The state of a folder's journal, recovered to its head, with nothing that decides over it yet. */
export interface OpenReplica {
  readonly journal: FileJournal;
  readonly live: Live;
  readonly recovered: RunningEngine['recovered'];
  /** Takes snapshots of the folder's journal. */
  readonly snapshots: SnapshotDriver;
  /**
   * The last record that the folder's files have. A snapshot is made from them and is due by them: a journal elsewhere
   * may be ahead for as long as the disk of the folder has no room.
   */
  readonly archived: () => number;
}

/**
 * Opens the journal, recovers, and starts the engine and its timer; the day and the books meet the present before it
 * returns. Throws `FolderInUse` and `JournalDamaged`.
 */
export async function startEngine(settings: EngineSettings, around: EngineSurroundings): Promise<RunningEngine> {
  return promote(await openReplica(settings, around), around, settings.limits);
}

/** Opens the journal of a folder and recovers its state. Throws `FolderInUse` and `JournalDamaged`. */
export async function openReplica(
  settings: EngineSettings,
  around: Pick<EngineSurroundings, 'failStop' | 'begin' | 'log'>,
): Promise<OpenReplica> {
  const { folder, mark, acceptLoss } = settings;
  lowerBackgroundPriority(BACKGROUND_NICE);
  const journal = await openFileJournal({
    folder,
    ...(mark === undefined ? {} : { mark }),
    ...(acceptLoss === undefined ? {} : { acceptLoss }),
    onFailure: around.failStop,
  });
  try {
    const snapshots = new SnapshotFolder(join(folder, 'snapshots'));
    snapshots.removeDrafts();
    const rows = chunkFiles(join(folder, ROWS_FOLDER));
    const onProgress = (around.begin ?? UNWATCHED)('recovering', 'records');
    const { replica: live, ...recovery } = recover(journal.readingAhead(), snapshots, liveSource(rows), { onProgress });
    const recovered = { ...recovery, notes: [...journal.notes, ...recovery.notes], stateHash: live.hash() };
    const driver = snapshotDriver(settings, recovered.fromSnapshot, around.log);
    return { journal, live, recovered, snapshots: driver, archived: () => journal.head().seq };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/**
 * Makes the engine over a state that stands at the head of its journal, and starts its timer; the day and the books
 * meet the present before it returns, unless it is awaited. The journal is closed when it throws.
 */
export async function promote(
  replica: Omit<OpenReplica, 'journal'> & { readonly journal: Journal },
  around: EngineSurroundings,
  limits?: Partial<EngineLimits>,
): Promise<RunningEngine> {
  try {
    return engineOver(replica, around, limits);
  } catch (error) {
    await replica.journal.close();
    throw error;
  }
}

function engineOver(
  { journal, live, recovered, snapshots, archived }: Parameters<typeof promote>[0],
  around: EngineSurroundings,
  limits: Partial<EngineLimits> | undefined,
): RunningEngine {
  const { wall, ...others } = around;
  const clock = new MarketClock({ wall, elapsed: () => performance.now(), state: live.state });
  if (around.setsClock !== undefined) clock.stand();
  const present = Math.max(live.at, clock.now()) as EpochMs;
  const setting = around.setsClock?.(live.state, present);
  around.onRecovered?.(live.state, live.views, setting?.market ?? present);
  const engine = new Engine({ live, journal, ...others, ...clocksOf(clock), ...(limits && { limits }) });
  if (around.follower !== undefined) engine.feed.subscribe(live.seq, around.follower);
  const takeSnapshots = (): void => snapshots.passSecond(archived(), performance.now());
  if (setting !== undefined) engine.setClockFirst(setting);
  if (around.isAwaited === true) engine.goOnAtOnce();
  else engine.doAllPresent();
  takeSnapshots();
  const stopTicker = everySecond(clock, () => engine.passSecond());
  const snapshotTimer = setInterval(takeSnapshots, SECOND_MS);
  const stop = async (): Promise<void> => {
    stopTicker();
    clearInterval(snapshotTimer);
    engine.markClock();
    await engine.drain();
    engine.feed.close();
    await (around.endsQuietly === true ? snapshots.rest() : snapshots.finish(archived()));
    await journal.close();
  };
  return { engine, recovered, head: () => journal.head(), letTimePass: () => clock.go(), stop };
}

function clocksOf(clock: MarketClock): Pick<EngineParts, 'clock' | 'wallApart' | 'pace'> {
  return { clock: () => clock.now(), wallApart: () => clock.wallApart(), pace: clock };
}

function snapshotDriver(settings: EngineSettings, lastSeq: number, log: Log): SnapshotDriver {
  const { folder, mark, archive, snapshotRecords, snapshotMinutes } = settings;
  return new SnapshotDriver(
    {
      files: { folder, ...(mark && { mark }), ...(archive && { archive }) },
      records: snapshotRecords,
      intervalMs: snapshotMinutes * 60_000,
      lastSeq,
      onTaken: ({ seq, tookMs }) => log(`snapshot at ${seq} taken in ${Math.round(tookMs)} ms`, 'info'),
      onFailed: (error) => log(`snapshot failed: ${error.message}`, 'warn'),
      onNotPacked: (words) => log(`segments are not compressed: ${words}`, 'warn'),
    },
    performance.now(),
  );
}
