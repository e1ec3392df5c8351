/**
 * Where a branch begins: at an instant over which its parent's clock jumped, and at a record within the work of a
 * second. The branches are made of folders and lived in this process.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { branch } from '../../../src/app/branches/branch-folder.ts';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import {
  type EpochMs,
  formatIstMoment,
  HOUR_MS,
  type IstDay,
  istDay,
  istInstant,
  MINUTE_MS,
  SECOND_MS,
} from '../../../src/base/time.ts';
import { dataFolder } from '../../../src/folder/data-folder.ts';
import { createIdentity } from '../../../src/folder/identity.ts';
import { createKeyFile, newKeys } from '../../../src/gateway/credentials/key-file.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { encodeGroup, encodeRecord, RECORD_END } from '../../../src/journal/codec.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { openFileJournal } from '../../../src/journal/file-journal.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { examineBeside, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import type { BranchPlace } from '../../../src/operator/cli/folder/branch-command.ts';
import { scratchFolder } from '../../kit/journal/image.ts';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../../kit/journal/small-market.ts';
import { opening } from '../../kit/journal/trading.ts';
import { placement } from '../../kit/money/world.ts';
import { journalOf, marketRecords, PacedService } from '../../kit/paced-service.ts';
import { testPorts } from '../../kit/ports.ts';

const DAY = 20_502 as IstDay;
const scratch = scratchFolder();
after(() => rmSync(scratch, { recursive: true }));

/** A data folder with these records. */
async function writeFolder(name: string, records: readonly JournalRecord[]): Promise<void> {
  const data = dataFolder(join(scratch, name));
  const journal = await openFileJournal({ folder: data.folder });
  for (const { seq, at, command, events } of records) {
    await journal.append(encodeGroup(seq, 1, encodeRecord(seq, at, command, events) + RECORD_END));
  }
  await journal.close();
  const keys = newKeys();
  createKeyFile(data.keys, keys);
  createIdentity(data.identity, { market: 'synthetic', seed: 7, hours: 'always', keyFingerprint: keys.fingerprint });
  writeFileSync(data.settings, '{}');
}

function recordsOf(name: string): JournalRecord[] {
  const { stored } = examineBeside(REAL_DISK, journalPaths(join(scratch, name)));
  const found: JournalRecord[] = [];
  readHistory(stored, { ...GENESIS, at: 0 }, (more) => found.push(...more));
  return found;
}

let made = 0;

/** A branch of a folder, its report, and its first life. */
async function begun(parent: string, place: BranchPlace, market = new SmallMarket()) {
  made += 1;
  const name = `branch-${made}`;
  const paths = { from: join(scratch, parent), to: join(scratch, name) };
  const report = await branch({ ...paths, by: 'desk', why: 'a trial', port: 1_234, operatorPort: 1_235, place });
  const ports = testPorts({ instruments: SMALL_INSTRUMENTS, market });
  const records = recordsOf(name);
  rmSync(paths.to, { recursive: true });
  const lived = new PacedService({ ports, start: istInstant(DAY), seed: made }, journalOf(records));
  return { report, records, lived };
}

describe('a branch at an instant over which the clock of its parent jumped', () => {
  const lastLived = istInstant(DAY, 15 * HOUR_MS + 31 * MINUTE_MS);
  const target = istInstant((DAY + 3) as IstDay, 9 * HOUR_MS);

  before(async () => {
    const ports = testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() });
    const first = new PacedService({ ports, start: (lastLived - 31 * MINUTE_MS) as EpochMs, seed: 2 });
    await first.stepTo((first.clock.now() + 1) as EpochMs);
    for (const command of opening()) await first.submit(command);
    const buy = { by: 0 as AccountId, side: 'B', units: 1, at: 101_00, product: 'I' } as const;
    await first.submit(placement({ ...buy, of: must(EQUITIES[0], 'a share').id }));
    await first.stepTo(lastLived);
    const second = new PacedService({ ports, start: lastLived, seed: 4, jump: target }, first.kill());
    await second.stepTo((target + MINUTE_MS) as EpochMs);
    await writeFolder('jumped', second.records());
  });

  for (const [days, timeOfDay] of [
    [0, 15 * HOUR_MS + 31 * MINUTE_MS],
    [0, 18 * HOUR_MS],
    [0, 23 * HOUR_MS + 57 * MINUTE_MS],
    [1, 0],
    [1, 10 * HOUR_MS],
    [3, 9 * HOUR_MS - 1_000],
  ] as const) {
    const at = istInstant((DAY + days) as IstDay, timeOfDay);
    it(`stands there: ${formatIstMoment(at)}`, async () => {
      const { report, records, lived } = await begun('jumped', { day: istDay(at), timeOfDay });
      assert.match(report, new RegExp(`its market stands still at ${formatIstMoment(at)}`));
      assert.equal(lived.clock.now(), at, 'its first start too');
      const { state } = lived.live;
      assert.equal(state.day, DAY + days, 'the days behind it have not passed');
      assert.ok(must(records.at(-2), 'the last record of both').at <= at);
      const isCutOff = days === 0 && timeOfDay > 23 * HOUR_MS + 55 * MINUTE_MS;
      assert.equal(state.squaredOff.has('OtherShares'), isCutOff, 'the cut-offs of its day have come');
      await lived.stepTo((at + MINUTE_MS) as EpochMs);
      assert.equal(lived.clock.now(), at + MINUTE_MS);
    });
  }

  it('is at the instant of the jump where the jump is its last record, and goes through the days from there', async () => {
    const record = recordsOf('jumped').findLast(
      ({ command }) => command.type === 'SetClock' && command.market === target,
    );
    const { report, lived } = await begun('jumped', { record: must(record, 'the jump').seq });
    assert.match(report, new RegExp(`its market stands still at ${formatIstMoment(target)}`));
    assert.deepEqual([lived.clock.now(), lived.live.state.day], [target, DAY + 3]);
  });
});

describe('a branch at a record', () => {
  const start = istInstant(DAY, 23 * HOUR_MS + 53 * MINUTE_MS);
  const end = (istInstant((DAY + 1) as IstDay) + 2 * MINUTE_MS) as EpochMs;
  /** All prices jump over the resting sells in one second. */
  const jumping = () => new SmallMarket((start + MINUTE_MS) / SECOND_MS, 500);
  let parent: PacedService;
  /** The last record that somebody asked for before the market went on. */
  let asked: number;

  before(async () => {
    const ports = testPorts({ instruments: SMALL_INSTRUMENTS, market: jumping() });
    parent = new PacedService({ ports, start, seed: 2 });
    await parent.stepTo((start + 1) as EpochMs);
    for (const command of opening()) await parent.submit(command);
    for (const [index, { id }] of EQUITIES.entries()) {
      const order = { by: index as AccountId, of: id, units: 10 } as const;
      await parent.submit(placement({ ...order, side: 'S', at: 102_00, product: 'C' }));
      await parent.submit(placement({ ...order, side: 'B', at: 101_00, product: 'I' }));
    }
    asked = parent.live.seq;
    await parent.stepTo(end);
    await writeFolder('lived', parent.records());
  });

  it('goes the way of its parent from each record on, within the work of a second too', async () => {
    const moved = parent.records().filter(({ events }) => events.some(({ type }) => type === 'Traded'));
    assert.ok(moved.filter(({ at }) => at === start + MINUTE_MS).length >= 3, 'books trade in one second');
    assert.ok(
      moved.some(({ command }) => command.type === 'PlaceOrder' && command.squareOff),
      'positions are closed',
    );
    let within = 0;
    for (let record = asked; record <= parent.live.seq; record += 1) {
      const { records, lived } = await begun('lived', { record }, jumping());
      const left = records.length - 1;
      assert.ok(left >= record);
      if (left > record) within += 1;
      await lived.stepTo(end);
      assert.deepEqual(marketRecords(lived, left + 1), marketRecords(parent, left), `a branch at ${record}`);
    }
    assert.ok(within > 10, `${within} records lie within the work of a second`);
  });

  it('leaves out commands that follow at the same instant', async () => {
    const { records } = await begun('lived', { record: asked - 2 }, jumping());
    assert.equal(records.length - 1, asked - 2);
  });
});
