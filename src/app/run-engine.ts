/**
 * Starts the engine over the journal of a data folder: its ports, its progress, and the checks of what was recovered
 * before anything is decided.
 */

import type { Trail } from '../audit/trail.ts';
import { hasCode } from '../base/system-fault.ts';
import type { Config } from '../config.ts';
import type { State } from '../core/state.ts';
import type { Subscriber } from '../engine/feed/durable-feed.ts';
import type { EnginePort } from '../engine/port.ts';
import {
  type EngineSettings,
  type EngineSurroundings,
  type RunningEngine,
  startEngine,
} from '../engine/start-engine.ts';
import { dataFolder } from '../folder/data-folder.ts';
import type { Identity } from '../folder/identity.ts';
import { CommandFailed, EXIT_CONFIG } from '../os/command-failed.ts';
import { makeFolder } from '../os/durable-file.ts';
import type { BeginPart, Progress } from '../os/progress.ts';
import { setLimitsForOrders } from '../os/start-limits.ts';
import { wallClock } from '../os/wall-clock.ts';
import { namedInstruments } from '../views/named-instruments.ts';
import { endAtOnce, pathFailure } from './exit-codes.ts';
import { note, startProgress } from './log.ts';
import { expectInstruments, type KnownState, type OpenedMarket, portsOf } from './opened-market.ts';
import { clockCommand } from './start-clock.ts';
import { keepPast } from './tapes/followed-tapes.ts';

/** A snapshot is taken at least this often while there is something new. */
const SNAPSHOT_MINUTES = 60;
/** A recovery of more records takes longer than a second. */
const LONG_RECOVERY = 20_000;

interface EngineNeeds {
  readonly known: KnownState;
  readonly trail: Trail;
  readonly identity: Identity;
}

/**
 * Starts the engine over the journal of the data folder, with the audit trail beside it. `known` gets the recovered
 * state. Throws `FolderInUse`, `JournalDamaged` and `TrailDamaged`, and `CommandFailed` when an instrument of the state
 * is not in the market, or tapes would change the past.
 */
export async function runEngine(
  config: Config,
  world: OpenedMarket,
  { known, trail, identity }: EngineNeeds,
  acceptLoss: number | undefined,
): Promise<RunningEngine> {
  const progress = startProgress(config.log);
  const around = surroundings(config, world, {
    known,
    identity,
    subscriber: trail,
    checked: (state) => trail.open(state, acceptLoss),
  });
  const begin: BeginPart = (what, unit) => withRoom(progress.begin(what, unit));
  const running = await startEngine(engineSettings(config, acceptLoss), { ...around, begin }).finally(() =>
    progress.end(),
  );
  trail.start(running.head);
  for (const passedOver of running.recovered.notes) note(config.log, 'warn', `recovery: ${passedOver}`);
  await expectSpanFiles(running.engine, world);
  return running;
}

/** Gives long work of a start room for young objects, which short work leaves small. */
function withRoom(progress: Progress): Progress {
  let isLong = false;
  return (done, of) => {
    if (!isLong && of - done > LONG_RECOVERY) {
      isLong = true;
      setLimitsForOrders();
    }
    progress(done, of);
  };
}

export function engineSettings({ data, snapshotRecords, archive }: Config, acceptLoss?: number): EngineSettings {
  return {
    folder: data,
    snapshotRecords,
    snapshotMinutes: SNAPSHOT_MINUTES,
    ...(archive === '' ? {} : { archive: madeFolder(archive) }),
    ...(acceptLoss === undefined ? {} : { acceptLoss }),
  };
}

/** The parts of a start that the surroundings of its engine need. */
export interface AroundEngine {
  /** Gets the recovered state. */
  readonly known: KnownState;
  readonly identity: Identity;
  /** Receives every record that this process makes. */
  readonly subscriber: Subscriber;
  /** Called when the recovered state was found good, before anything is decided. */
  readonly checked?: (state: State) => void;
}

/** The surroundings of the engine of a data folder: its ports, its clocks, and the checks of what was recovered. */
export function surroundings(
  config: Config,
  world: OpenedMarket,
  { known, identity, subscriber, checked }: AroundEngine,
): EngineSurroundings {
  return {
    ports: { ...portsOf(world), strictTrigger: config.strictTrigger === 'on' },
    spanFilesOn: (day) => world.spanFiles.on(day),
    limitedShares: () => world.instruments.sharesWithContracts(),
    wall: wallClock,
    failStop: endAtOnce,
    setsClock: (state, now) => clockCommand(config, { state, now, wall: wallClock() }),
    onRecovered: (state, views) => {
      known.state = state;
      keepPast(dataFolder(config.data), identity, world.followed, state);
      expectInstruments(world, dataFolder(config.data), namedInstruments(state, views));
      checked?.(state);
    },
    log: (message, gravity) => note(config.log, gravity, message),
    follower: subscriber,
  };
}

/** Reads every SPAN file that the state names. Throws `SpanStoreError` when one is missing. */
export async function expectSpanFiles(engine: EnginePort, { spanFiles }: OpenedMarket): Promise<void> {
  for (const digest of await engine.read(({ riskFiles }) => riskFiles)) spanFiles.get(digest);
}

/** A folder that a setting names, made where it is not there. Throws `CommandFailed` when it cannot be. */
function madeFolder(folder: string): string {
  try {
    makeFolder(folder);
    return folder;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new CommandFailed(`${folder}: it is not a folder`, EXIT_CONFIG);
    throw pathFailure(error, EXIT_CONFIG);
  }
}
