import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { LIVE } from '../../../src/engine/live.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { openFileJournal } from '../../../src/journal/file-journal.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { acknowledged, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { scratchFolder } from '../../kit/journal/image.ts';

const GOLDEN = join(import.meta.dirname, 'golden');
const scratch = scratchFolder();
after(() => rmSync(scratch, { recursive: true }));

const versions = readdirSync(GOLDEN).filter((name) => /^v\d+$/.test(name));
const journals = versions.flatMap((version) => readdirSync(join(GOLDEN, version)).map((name) => join(version, name)));

describe('journals of every released version', () => {
  it('are kept, three of each', () => {
    assert.ok(versions.includes('v1'));
    for (const version of versions) {
      assert.ok(journals.filter((name) => name.startsWith(`${version}/`)).length >= 3, version);
    }
  });

  for (const name of journals) {
    it(`are whole and fold into the recorded state: ${name}`, async () => {
      const folder = join(scratch, name);
      cpSync(join(GOLDEN, name), folder, { recursive: true });
      const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
      const found = verifyJournal(folder);
      assert.deepEqual([found.damage, found.head.seq, found.head.hash], [undefined, expected.seq, expected.hash]);

      const journal = await openFileJournal({ folder });
      try {
        const { replica } = recover(journal, undefined, LIVE);
        assert.equal(replica.hash(), expected.stateHash);
      } finally {
        await journal.close();
      }
    });
  }

  it('have commands of every kind that was there', () => {
    const kinds = new Set(recordsOfV1().map(({ command }) => command.type as string));
    const missing = KINDS_OF_V1.filter((kind) => !kinds.has(kind));
    assert.deepEqual(missing, []);
  });

  it('have clocks that were set, with steps, and orders with every word of an outcome on demand', () => {
    const speeds = new Set<unknown>();
    const words = new Set<string>();
    let ends = 0;
    for (const { command, events } of recordsOfV1()) {
      if (command.type === 'PlaceOrder') for (const word of Object.keys(command.scenario ?? {})) words.add(word);
      for (const event of events) {
        if (event.type !== 'ClockSet') continue;
        speeds.add(event.speed);
        if (event.until !== undefined) ends += 1;
      }
    }
    for (const speed of [0, 1, 60, 3_600, 'max']) assert.ok(speeds.has(speed), `${speed}`);
    assert.ok(ends > 1, `${ends} steps`);
    assert.deepEqual([...words].sort(), [...OUTCOME_WORDS].sort());
  });
});

function recordsOfV1(): readonly JournalRecord[] {
  return journals
    .filter((known) => known.startsWith('v1/'))
    .flatMap((name) => [...acknowledged(REAL_DISK, journalPaths(join(GOLDEN, name))).groups(0)].flatMap(decodeGroup));
}

const OUTCOME_WORDS =
  'reject fill fillPercent fills cancelAfter hold ackDelay lateFill lostAnswer duplicateFrame'.split(' ');

/** The records from which `make.ts` made the journals of version 1. */
const KINDS_OF_V1 = [
  'PlaceOrder ModifyOrder CancelOrder ConvertPosition ReleaseOrder MoveMarket SquareOff EndDay RollDay ReviseMargins',
  'RegisterUser DepositCash PayOutCash PledgeShares ReleaseShares CreditHolding SetSwitch CancelKilled',
  'SetShareBand SetAddresses SetOrderRate AnnounceCorporateAction WithdrawCorporateAction',
  'OpenSession TouchSession CloseSession ExpireSessions SetClock MarkClock SetScenario',
].flatMap((kinds) => kinds.split(' '));
