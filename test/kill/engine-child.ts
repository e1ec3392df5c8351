import type { Tick } from '../../src/base/ids.ts';
import type { EpochMs } from '../../src/base/time.ts';
import { Live } from '../../src/engine/live.ts';
import { startEngine } from '../../src/engine/start-engine.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../journal/small-market.ts';
import type { Answer, Request } from './protocol.ts';

/**
 * An engine over the journal of a folder, spoken to over IPC, until it is killed.
 * Arguments: the folder, and the tick from which the market stands a rupee higher.
 */
const [folder = '', jumpAt = ''] = process.argv.slice(2);
const market = jumpAt === '' ? new SmallMarket() : new SmallMarket(Number(jumpAt) as Tick, 100);

/** EX_IOERR, as the service ends. Source: reliability P6. */
const failStop = (error: Error): never => {
  console.error(error);
  process.exit(74);
};

const say = (answer: Answer): void => {
  process.send?.(answer);
};

const { engine, recovered } = await startEngine(
  { folder, snapshotRecords: 150, snapshotMinutes: 60 },
  {
    ports: { instruments: SMALL_INSTRUMENTS, market },
    clock: () => Date.now() as EpochMs,
    failStop,
    log: () => undefined,
  },
);

process.on('message', (request: Request) => {
  const answered =
    request.type === 'submit'
      ? engine.submit(request.command).then((reply) => say({ type: 'reply', id: request.id, reply }))
      : Promise.resolve(engine.read((state, views) => new Live(state, views).dump())).then((dump) =>
          say({ type: 'seen', id: request.id, dump }),
        );
  answered.catch(failStop);
});

const { fromSnapshot, tookMs, head } = recovered;
say({ type: 'ready', seq: head.seq, hash: recovered.stateHash, fromSnapshot, tookMs });
