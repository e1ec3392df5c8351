/**
 * GTTs that one price or one second fires take their turns in the same order however the state came to be: by the
 * commands, or from a snapshot. Money that is enough for one of them goes to the same one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../../../test/kit/journal/small-market.ts';
import { marketRecords, PacedService } from '../../../test/kit/paced-service.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { assertSameState } from '../../../test/kit/same-state.ts';
import { must } from '../../base/assert.ts';
import type { AccountId, GttNumber, InstrumentId, Tick } from '../../base/ids.ts';
import type { Paise, Quantity } from '../../base/money.ts';
import { type EpochMs, HOUR_MS, type IstDay, istInstant, SECOND_MS } from '../../base/time.ts';
import type { PlaceGtt } from '../../core/broker/gtt/gtt-commands.ts';
import type { Command } from '../../core/command.ts';
import { LIVE, type Live } from '../live.ts';

const START = istInstant(20_500 as IstDay, 10 * HOUR_MS);
const ACCOUNT = 0 as AccountId;
const [ALPHA, BETA] = EQUITIES.map(({ id }) => id) as [InstrumentId, InstrumentId];

/** A second in which both shares trade; their prices jump over all triggers in it. */
const JUMP = jumpSecond();
const PORTS = testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket(START / SECOND_MS + JUMP, 500) });

function jumpSecond(): number {
  const market = new SmallMarket();
  const trades = (id: InstrumentId, second: number) => market.print(id, (START / SECOND_MS + second) as Tick);
  for (let second = 120; ; second += 1) if (trades(ALPHA, second) && trades(BETA, second)) return second;
}

function gtt(instrument: InstrumentId, trigger: number): PlaceGtt {
  const terms = { priceType: 'MKT', retention: 'DAY', quantity: 100 as Quantity, price: 0, trigger: 0 } as const;
  const leg = { side: 'B', product: 'C', terms, remarks: '', trigger } as unknown as PlaceGtt['legs'][0];
  return { type: 'PlaceGtt', account: ACCOUNT, instrument, legs: [leg], remarks: '' };
}

/** Money for one of two GTTs. */
function user(): Command[] {
  const words = { userId: 'U', name: 'U', email: 'u@example.org', sealedCredentials: 'sealed', usesTotp: false };
  return [
    { type: 'RegisterUser', ...words, demo: false },
    { type: 'DepositCash', account: ACCOUNT, amount: 15_000_00 as Paise, opening: true },
  ];
}

/** Two GTTs on two shares, the first of which was modified since, so that its trigger was armed last. */
async function standing(): Promise<PacedService> {
  const lived = new PacedService({ ports: PORTS, start: START, seed: 2 });
  await lived.stepTo((START + 1_000) as EpochMs);
  for (const command of [...user(), gtt(ALPHA, 102_00), gtt(BETA, 102_00)]) await lived.submit(command);
  const [first] = lived.live.state.gtts.values();
  const { number } = must(first, 'the GTT on ALPHA');
  const reply = await lived.submit({ ...gtt(ALPHA, 102_05), type: 'ModifyGtt', gtt: number });
  assert.notEqual(reply.type, 'Refused');
  return lived;
}

test('GTTs on several instruments fire in one order, also behind a start from a snapshot', async () => {
  const end = (START + (JUMP + 10) * SECOND_MS) as EpochMs;
  const one = await standing();
  await one.stepTo(end);
  const events = one.records().flatMap((record) => record.events);
  const refused = events.filter(({ type }) => type === 'OrderRejected');
  assert.deepEqual([events.filter(({ type }) => type === 'GttFired').length, refused.length], [2, 1], 'money for one');
  const killed = (await standing()).kill();
  const two = new PacedService({ ports: PORTS, start: START, seed: 3 }, killed);
  assertSameState((await standing()).live.state, two.live.state);
  await two.stepTo(end);
  assert.deepEqual(marketRecords(two), marketRecords(one));
});

/** Two GTTs on one share, of which the second is nearer to the market; one price has fired both. */
function triggered(): Live {
  const live = LIVE.empty();
  const take = (command: Command, second: number): void => {
    live.step(PORTS, { seq: live.seq + 1, at: (START + second * SECOND_MS) as EpochMs, command });
  };
  take({ type: 'RollDay', day: 20_500 as IstDay }, 0);
  for (const command of [...user(), gtt(ALPHA, 103_00), gtt(ALPHA, 102_00)]) take(command, 1);
  take({ type: 'MoveMarket', instrument: ALPHA, tick: (START / SECOND_MS + JUMP) as Tick }, JUMP);
  return live;
}

/** The places of the GTTs that have fired, in the order in which their orders come. */
function firingOf({ state }: Live): number[] {
  const numbers = Array.from(state.gtts.values(), ({ number }) => number);
  return Array.from(state.gtts.triggered, (number: GttNumber) => numbers.indexOf(number) + 1);
}

test('GTTs that one price fires keep their order in a snapshot', () => {
  const live = triggered();
  assert.deepEqual(firingOf(live), [2, 1], 'the nearer trigger first');
  const restored = LIVE.load([...live.lines()]);
  assert.deepEqual(firingOf(restored), [2, 1]);
  assertSameState(live.state, restored.state);
  assert.equal(restored.hash(), live.hash());
});

test('a snapshot without the order of firing is loaded, by numbers', () => {
  const lines = [...triggered().lines()].filter((line) => !line.startsWith('{"triggered"'));
  assert.deepEqual(firingOf(LIVE.load(lines)), [1, 2]);
});

test('the order of firing is in the fingerprint, and takes no place where it is that of the numbers', () => {
  const live = triggered();
  const byNumbers = LIVE.load([...live.lines()].filter((line) => !line.startsWith('{"triggered"')));
  assert.notEqual(byNumbers.hash(), live.hash());
  assert.ok(![...byNumbers.lines()].some((line) => line.startsWith('{"triggered"')));
});

test('an order of firing that names other GTTs is refused', () => {
  const lines = Array.from(triggered().lines(), (line) =>
    line.startsWith('{"triggered"') ? '{"triggered":[1]}' : line,
  );
  assert.throws(() => LIVE.load(lines), { name: 'Undecodable', message: /triggered/ });
});
