/**
 * Starts the engine over the journal of a data folder: its ports, its progress, and the checks of what was recovered
 * before anything is decided.
 */
import type { Trail } from '../audit/trail.ts';
import type { Config } from '../config.ts';
import { type RunningEngine, startEngine } from '../engine/start-engine.ts';
import { dataFolder } from '../folder/data-folder.ts';
import type { Identity } from '../folder/identity.ts';
import { hasCode } from '../journal/disk/disk.ts';
import { CommandFailed, EXIT_CONFIG } from '../os/command-failed.ts';
import { makeFolder } from '../os/durable-file.ts';
import { wallClock } from '../os/wall-clock.ts';
import { namedInstruments } from '../views/named-instruments.ts';
import { endAtOnce, pathFailure } from './exit-codes.ts';
import { note, startProgress } from './log.ts';
import { expectInstruments, type KnownState, type MarketWorld, portsOf } from './market-world.ts';
import { clockCommand } from './start-clock.ts';
import { keepPast } from './tapes/followed-tapes.ts';

/** A snapshot is taken at least this often while there is something new. */
const SNAPSHOT_MINUTES = 60;

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
  world: MarketWorld,
  { known, trail, identity }: EngineNeeds,
  acceptLoss: number | undefined,
): Promise<RunningEngine> {
  const progress = startProgress(config.log);
  const running = await startEngine(
    {
      folder: config.data,
      snapshotRecords: config.snapshotRecords,
      snapshotMinutes: SNAPSHOT_MINUTES,
      ...(config.archive === '' ? {} : { archive: madeFolder(config.archive) }),
      ...(acceptLoss === undefined ? {} : { acceptLoss }),
    },
    {
      ports: { ...portsOf(world), strictTrigger: config.strictTrigger === 'on' },
      spanFilesOn: (day) => world.spanFiles.on(day),
      limitedShares: () => world.instruments.sharesWithContracts(),
      wall: wallClock,
      failStop: endAtOnce,
      begin: progress.begin,
      setsClock: (state, now) => clockCommand(config, { state, now, wall: wallClock() }),
      onRecovered: (state, views, now) => {
        known.state = state;
        keepPast(dataFolder(config.data), identity, world.followed, state);
        expectInstruments(world, dataFolder(config.data), namedInstruments(state, views));
        trail.open(state, acceptLoss);
        world.instruments.prepare(now);
      },
      log: (message, gravity) => note(config.log, gravity, message),
      follower: trail,
    },
  ).finally(() => progress.end());
  trail.start(running.head);
  for (const passedOver of running.recovered.notes) note(config.log, 'warn', `recovery: ${passedOver}`);
  for (const digest of await running.engine.read(({ riskFiles }) => riskFiles)) world.spanFiles.get(digest);
  return running;
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
