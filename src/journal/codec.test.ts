import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountId } from '../base/ids.ts';
import type { Paise } from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import { decodeGroup, encodeGroup, encodeRecord, RECORD_END, UnreadableRecord } from './codec.ts';
import type { Group } from './journal.ts';

const command: Command = { type: 'DepositCash', account: 1 as AccountId, amount: 5 as Paise, opening: false };
const events: Event[] = [{ type: 'CashDeposited', account: 1 as AccountId, amount: 5 as Paise, opening: false }];
const line = (seq: number, at = 10 + seq): string => encodeRecord(seq, at as EpochMs, command, events) + RECORD_END;

function plain(firstSeq: number, count: number, body: string): Group {
  return { version: 1, firstSeq, count, body };
}

describe('the text of records', () => {
  it('reads back what was written', () => {
    const expected = [3, 4, 5].map((seq) => ({ seq, at: 10 + seq, command, events }));
    assert.deepEqual(decodeGroup(plain(3, 3, line(3) + line(4) + line(5))), expected);
  });

  it('keeps ends of lines, control characters and commas inside texts', () => {
    const remarks = 'a\n,b\r\n\u2028"\0\t\x1b\x7f';
    const odd = { ...command, remarks } as unknown as Command;
    const [record] = decodeGroup(plain(1, 1, encodeRecord(1, 1 as EpochMs, odd, events) + RECORD_END));
    assert.deepEqual(record?.command, odd);
  });

  const WRONG: readonly (readonly [what: string, body: string, seq: number, message: RegExp])[] = [
    ['a record too few', line(1), 2, /ends after 1 of 2/],
    ['a record too many', line(1) + line(2) + line(3), 3, /text follows the last of 2/],
    ['a cut record', line(1) + line(2).slice(0, -9), 2, /ends after 1 of 2/],
    ['an end of line missing', line(1) + line(2).trimEnd(), 2, /ends after 1 of 2/],
    ['an empty line', `${line(1)}\n${line(2)}`, 2, /not JSON/],
    ['two records on a line', `${line(1).trimEnd()},${line(2)}`, 1, /not JSON/],
    ['no JSON', `${line(1)}{"seq":2,\n`, 2, /not JSON/],
    ['records out of order', line(2) + line(1), 1, /numbered 2 stands in place 1/],
    ['a gap', line(1) + line(3), 2, /numbered 3 stands in place 2/],
    ['a record with another field', `${line(1)}${line(2).replace('{', '{"more":1,')}`, 2, /not a record/],
    ['a record without events', line(1) + encodeRecord(2, 1 as EpochMs, command, []) + RECORD_END, 2, /not a record/],
    ['a time that is no number', line(1) + line(2).replace('"at":12', '"at":"x"'), 2, /not a record/],
    ['an event without a type', line(1) + line(2).replace('"type":"CashDeposited",', ''), 2, /not a record/],
    ['something else', `${line(1)}7\n`, 2, /not a record/],
  ];
  for (const [what, body, seq, message] of WRONG) {
    it(`is refused, and the record is named: ${what}`, () => {
      assert.throws(
        () => decodeGroup(plain(1, 2, body)),
        (error) => error instanceof UnreadableRecord && error.seq === seq && message.test(error.message),
      );
    });
  }

  it('is refused in a version that is not known', () => {
    const known = /record version 2 is unknown: this program reads version 1/;
    assert.throws(() => decodeGroup({ ...plain(1, 1, line(1)), version: 2 }), known);
  });
});

describe('a group', () => {
  it('is the text of its records', () => {
    const group = encodeGroup(1, 2, line(1) + line(2));
    assert.deepEqual([group.version, String(group.body)], [1, line(1) + line(2)]);
  });

  it('of text of every script is unchanged', () => {
    const odd = { ...command, remarks: 'सौदा 🪙 naïve'.repeat(400) } as unknown as Command;
    const { body, ...group } = encodeGroup(1, 1, encodeRecord(1, 1 as EpochMs, odd, events) + RECORD_END);
    assert.deepEqual(decodeGroup({ ...group, body: Buffer.from(body) })[0]?.command, odd);
  });
});
