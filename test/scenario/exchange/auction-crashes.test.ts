import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import { paise, quantity } from '../../../src/base/money.ts';
import { type EpochMs, istInstant, parseIsoDay, SECOND_MS } from '../../../src/base/time.ts';
import type { Command } from '../../../src/core/command.ts';
import type { Phase } from '../../../src/core/exchange/phase.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { encodeGroup, encodeRecord, RECORD_END } from '../../../src/journal/codec.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { placement } from '../../kit/money/world.ts';
import { unasked } from '../../kit/unasked.ts';
import { ExchangeMonth } from '../../property/month/exchange-month.ts';

const DAY = must(parseIsoDay('2026-11-20'), 'a Friday');
const month = new ExchangeMonth(72);
const { market, ports } = month;
const { id } = must(month.shares(istInstant(DAY))[0], 'a share');
const [ONE, TWO] = [0, 1] as unknown as [AccountId, AccountId];

/** Something that happens at an instant: a command of a client, or a second that passes. */
interface Happening {
  readonly at: EpochMs;
  readonly command?: Command;
}

function at(clock: string): EpochMs {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return istInstant(DAY, ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS);
}

/** The first second of a phase. */
function begin(phase: Phase): EpochMs {
  let instant = at('09:00');
  while (market.phase(id, market.tickAt(instant)) !== phase) instant = (instant + SECOND_MS) as EpochMs;
  return instant;
}

function secondsAround(instant: EpochMs): Happening[] {
  return [-2, -1, 0, 1, 2].map((second) => ({ at: (instant + second * SECOND_MS) as EpochMs }));
}

/** A day of both auctions: orders in each, and the seconds around every change of phase. */
function happenings(): Happening[] {
  const close = market.previousClose(id, market.tickAt(at('09:01')));
  const near = (percent: number) => Math.round((close * (100 + percent)) / 1_000) * 10;
  const order = { of: id, product: 'C' } as const;
  const say = (clock: string, command: Command): Happening => ({ at: at(clock), command });
  const users = [ONE, TWO].flatMap((account): Happening[] => [
    say('08:30', {
      type: 'RegisterUser',
      userId: `USER${account}`,
      name: 'Asha',
      email: 'asha@example.com',
      sealedCredentials: 'sealed',
      usesTotp: false,
      demo: false,
    }),
    say('08:30', { type: 'DepositCash', account, amount: paise(1_000_000_000), opening: true }),
    say('08:30', { type: 'CreditHolding', account, instrument: id, quantity: quantity(900), cost: paise(1_000) }),
  ]);
  const all = [
    ...users,
    say('09:02', placement({ ...order, by: ONE, side: 'B', units: 300 })),
    say('09:03', placement({ ...order, by: TWO, side: 'S', units: 200, at: near(-3) })),
    say('09:04', placement({ ...order, by: TWO, side: 'B', units: 100, at: near(-5) })),
    say('12:00', placement({ ...order, by: ONE, side: 'S', units: 100, at: near(6) })),
    say('15:22', placement({ ...order, by: ONE, side: 'S', units: 250 })),
    say(
      '15:23',
      placement({ ...order, by: TWO, side: 'B', units: 50, at: market.band(id, market.tickAt(at('15:22'))).lower }),
    ),
    ...(['PreOpen', 'PreOpenLimitOnly', 'PreOpenMatching', 'Buffer', 'Continuous'] as const)
      .map(begin)
      .flatMap(secondsAround),
    ...(['ClosingReference', 'ClosingEntry', 'ClosingLimitOnly', 'ClosingMatching', 'PostClose'] as const)
      .map(begin)
      .flatMap(secondsAround),
  ];
  return all.sort((a, b) => a.at - b.at);
}

/**
 * Lets everything from a place on happen over a journal; returns the state's hash, and how many records there were
 * after each.
 */
async function run(journal: MemoryJournal, script: readonly Happening[], from = 0) {
  let now = 0 as EpochMs;
  const live = recover(journal, undefined, LIVE).replica;
  const failStop = (error: Error): never => {
    throw error;
  };
  const engine = new Engine({ live, journal, ports, clock: () => now, elapsed: () => 0, failStop });
  const records: number[] = [];
  for (const { at: instant, command } of script.slice(from)) {
    now = instant;
    if (command === undefined) engine.passSecond();
    else await engine.submit(unasked(command));
    records.push(live.seq);
  }
  await engine.drain();
  checkInvariants(live.state, ports);
  return { state: live.state, hash: stateHash(live.state), records };
}

async function cutAfter(records: readonly JournalRecord[]): Promise<MemoryJournal> {
  const journal = new MemoryJournal();
  for (const { seq, at: instant, command, events } of records) {
    await journal.append(encodeGroup(seq, 1, encodeRecord(seq, instant, command, events) + RECORD_END));
  }
  return journal;
}

test('a process that ends behind any record of a day with auctions comes to the same trades', async () => {
  const script = happenings();
  const journal = new MemoryJournal();
  const whole = await run(journal, script);
  const orders = [...whole.state.orders.values()].map(({ filled, status }) => `${filled} ${status}`);
  assert.deepEqual(orders, [
    '300 Complete',
    '200 Complete',
    '0 Cancelled',
    '0 Cancelled',
    '250 Complete',
    '0 Cancelled',
  ]);
  const records: JournalRecord[] = [];
  readHistory(journal, { ...GENESIS, at: 0 }, (more) => records.push(...more));
  const met = records.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'PhaseMet' ? [event.phase] : [])),
  );
  assert.ok(met.length >= 8, `the book met ${met.join(', ')}`);
  for (let end = 1; end < records.length; end += 1) {
    const next = whole.records.findIndex((seq) => seq > end);
    const again = await run(await cutAfter(records.slice(0, end)), script, next);
    assert.equal(again.hash, whole.hash, `after a crash behind record ${end}`);
  }
});
