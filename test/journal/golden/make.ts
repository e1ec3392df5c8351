import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../src/base/random.ts';
import { DAY_MS, type EpochMs, type IstDay, istInstant } from '../../../src/base/time.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { openFileJournal } from '../../../src/journal/file-journal.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../small-market.ts';
import { clientCommand, type Memory, opening } from '../trading.ts';

/*
 * Makes a golden journal: `node test/journal/golden/make.ts v1`. Once a version is released its files are never made again:
 * every later build must read them to the recorded state hash, or say why the hash is another.
 */

const COMMANDS = 400;
const folder = join(import.meta.dirname, process.argv[2] ?? 'v1');
rmSync(folder, { recursive: true, force: true });

const random = new Random(7);
const live = LIVE.empty();
const journal = await openFileJournal({ folder });
let now = istInstant(20_500 as IstDay, 36_000_000);
const engine = new Engine({
  live,
  journal,
  ports: { instruments: SMALL_INSTRUMENTS, market: new SmallMarket() },
  clock: () => now,
  failStop: (error) => {
    throw error;
  },
});
for (const command of opening()) await engine.submit(command);
const memory: Memory = { orders: [], sessions: [] };
for (let number = 0; number < COMMANDS; number += 1) {
  now = (now + random.pick([0, 3, 250, 1_700])) as EpochMs;
  if (number === COMMANDS / 2) now = (now + DAY_MS) as EpochMs;
  const command = clientCommand(random, memory, `order ${number}`);
  const reply = await engine.submit(command);
  if (reply.type === 'OrderPlaced' && command.type === 'PlaceOrder') {
    memory.orders.push({ number: reply.order, account: command.account });
  }
  if (command.type === 'OpenSession') memory.sessions.push(command.tokenDigest);
  engine.passSecond();
}
await engine.drain();
const expected = { ...journal.head(), stateHash: live.hash() };
await journal.close();
rmSync(join(folder, 'writer.lock'));
writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
