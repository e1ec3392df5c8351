import { flushCompileCache } from 'node:module';
import type { Tick } from '../../../src/base/ids.ts';
import type { WallMs } from '../../../src/base/time.ts';
import { Live } from '../../../src/engine/live.ts';
import { Unavailable } from '../../../src/engine/port.ts';
import { startEngine } from '../../../src/engine/start-engine.ts';
import { JournalDamaged } from '../../../src/journal/upkeep/damage.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../../kit/journal/small-market.ts';
import { testPorts } from '../../kit/ports.ts';
import { unasked } from '../../kit/unasked.ts';
import type { Answer, ChildSettings, Request } from './protocol.ts';

/**
 * An engine over the journal of a folder, spoken to over IPC, until it is killed. The argument is a `ChildSettings` as
 * JSON.
 */
const { folder, mark, jumpAt, startsAt } = JSON.parse(process.argv[2] ?? '') as ChildSettings;
const market = jumpAt === undefined ? new SmallMarket() : new SmallMarket(jumpAt as Tick, 100);
const shift = startsAt === undefined ? 0 : startsAt - Date.now();

/** Ends the process as the service does: EX_DATAERR for damage, EX_IOERR for all else. Source: reliability P5, P6. */
const failStop = (error: unknown): never => {
  console.error(error);
  process.exit(error instanceof JournalDamaged ? 65 : 74);
};
process.on('uncaughtException', failStop);

const say = (answer: Answer): void => {
  // A parent that is gone needs no answer.
  process.send?.(answer, () => undefined);
};

const { engine, recovered, stop } = await startEngine(
  { folder, snapshotRecords: 150, snapshotMinutes: 60, ...(mark === undefined ? {} : { mark }) },
  {
    ports: testPorts({ instruments: SMALL_INSTRUMENTS, market }),
    wall: () => (Date.now() + shift) as WallMs,
    failStop,
    log: (message) => console.error(message),
  },
);

async function answer(request: Request): Promise<void> {
  const { id } = request;
  if (request.type === 'look') {
    say({
      type: 'seen',
      id,
      dump: await engine.read((state, views) => [...new Live(state, views).lines()].join('\n')),
    });
    return;
  }
  try {
    say({ type: 'reply', id, reply: await engine.submit(unasked(request.command)) });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    say({ type: 'unavailable', id, why: error.message });
  }
}

process.on('message', (request: Request) => {
  answer(request).catch(failStop);
});
process.once('SIGTERM', () => {
  stop().then(() => process.exit(0), failStop);
});

// Nobody is left to ask it anything.
process.once('disconnect', () => process.exit(1));
const { fromSnapshot, tookMs, head, notes } = recovered;
say({ type: 'ready', seq: head.seq, hash: recovered.stateHash, fromSnapshot, tookMs, notes });
// A killed process keeps nothing of its compiled code: it is kept now, for the starts to come.
flushCompileCache();
