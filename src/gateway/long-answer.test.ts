import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../base/ids.ts';
import type { Stretches } from '../base/logs/placed-rows.ts';
import { LongAnswer } from './answer.ts';
import type { GatewayParts } from './deps.ts';
import { AnswerMemory } from './http/answer-memory.ts';
import { LASTING, type ListSpec, listAnswer, longAnswer } from './long-answer.ts';
import type { Caller } from './operation.ts';
import { ClientGone, Turns } from './turns.ts';

const CALLER = { account: 0 as AccountId, from: { address: '' } } as Caller;

interface Row {
  number: number;
}

/** Parts in which every row changes between two turns. */
function changingParts(rows: readonly Row[]): GatewayParts {
  const turns = new Turns({
    elapsed: () => performance.now(),
    afterTurn: (work) => {
      for (const row of rows) row.number += 1_000;
      setImmediate(work);
    },
  });
  const engine = { read: (query: (state: unknown, views: unknown) => unknown) => query(undefined, undefined) };
  return { engine, turns, answers: new AnswerMemory() } as unknown as GatewayParts;
}

async function listed(rows: readonly Row[], frozen: boolean): Promise<number[]> {
  const spec: ListSpec<Row> = {
    answer: { head: '{"data":', wrap: (text) => `{"data":${text}}` },
    rowsAtATime: 2,
    rowBytes: 16,
    sources: () => rows,
    row: ({ number }) => String(number),
    ...(frozen ? { frozen: (row: Row) => ({ ...row }) } : {}),
  };
  const made = await listAnswer(changingParts(rows), CALLER, spec);
  const text = made instanceof LongAnswer ? Buffer.concat(made.pieces).toString() : String(made);
  return (JSON.parse(text) as { data: number[] }).data;
}

const rows = (): Row[] => [1, 2, 3, 4, 5].map((number) => ({ number }));

test('a list that is frozen has all of its rows of one moment, though it is made in many turns', async () => {
  assert.deepEqual(await listed(rows(), true), [1, 2, 3, 4, 5]);
  assert.notDeepEqual(await listed(rows(), false), [1, 2, 3, 4, 5], 'rows that are not frozen change in between');
});

test('a short list is made at once', async () => {
  assert.deepEqual(await listed(rows().slice(0, 2), false), [1, 2]);
});

const MANY = 10_000;
/** Rows that are made in what counts as a millisecond here, and in a piece. */
const ROWS_A_MS = 100;
const ROWS_A_PIECE = 25;
/** As much as a turn takes before other clients come, and its last piece. */
const MOST_ROWS_A_TURN = 3 * ROWS_A_MS + ROWS_A_PIECE;

/** The most rows that one turn of the loop makes, on a clock that only rows move, and the most sources it looks at. */
async function mostOfATurn(changed: Partial<ListSpec<number>>): Promise<{ rows: number; sources: number }> {
  const made = { rows: 0, sources: 0 };
  const before = { rows: 0, sources: 0 };
  const most = { rows: 0, sources: 0 };
  const turns = new Turns({
    elapsed: () => made.rows / ROWS_A_MS,
    afterTurn: (work) => {
      setImmediate(() => {
        for (const kind of ['rows', 'sources'] as const) {
          most[kind] = Math.max(most[kind], made[kind] - before[kind]);
          before[kind] = made[kind];
        }
        work();
      });
    },
  });
  const sources: Stretches<number> = {
    length: MANY,
    slice: (from, to) => {
      const some = Array.from({ length: Math.min(to, MANY) - from }, (_, place) => from + place);
      made.sources += some.length;
      return some;
    },
  };
  const engine = {
    read: (query: () => unknown) => query(),
    glance: (query: () => unknown) => query(),
  };
  const parts = { engine, turns, answers: new AnswerMemory() } as unknown as GatewayParts;
  const answer = await listAnswer(parts, CALLER, {
    answer: { head: '{"data":', wrap: (text) => text },
    rowsAtATime: ROWS_A_PIECE,
    rowBytes: 16,
    sources: () => sources,
    moment: LASTING,
    row: (number) => {
      made.rows += 1;
      return String(number);
    },
    ...changed,
  });
  assert.ok(answer instanceof LongAnswer);
  assert.equal(JSON.parse(Buffer.concat(answer.pieces).toString()).data.length, MANY);
  await new Promise(setImmediate);
  return most;
}

test('no turn of the loop makes more rows of a long list than its time has, or looks at more of its sources', async () => {
  const { rows, sources } = await mostOfATurn({});
  assert.ok(rows <= MOST_ROWS_A_TURN, `${rows} rows`);
  assert.ok(sources <= MOST_ROWS_A_TURN + ROWS_A_PIECE, `${sources} sources`);
});

test('a list whose pieces are long, or whose sources are copied first, takes more of a turn', async () => {
  const long = await mostOfATurn({ rowsAtATime: MANY / 2 });
  assert.ok(long.rows >= MANY / 2);
  const { sources } = await mostOfATurn({ frozen: (number) => number + 1 });
  assert.ok(sources >= MANY);
});

test('a list whose moment is over is made again', async () => {
  let day = 1;
  const { rows } = await mostOfATurn({
    moment: { isOver: () => day++ === 7 },
    row: () => '1',
  });
  assert.equal(rows, 0);
  assert.ok(day > 400, 'it was begun twice, and made whole');
});

test('a long list is left when its client has gone, and its room is given back', async () => {
  const answers = new AnswerMemory();
  const made: string[] = [];
  const from = {
    address: '',
    get isGone() {
      return made.length === 3;
    },
  };
  const pieces = Array.from({ length: 10 }, (_, piece) => () => {
    made.push(`${piece}`);
    return `${piece}`;
  });
  const parts = { turns: new Turns(), answers } as unknown as GatewayParts;
  await assert.rejects(longAnswer(parts, { ...CALLER, from }, '', 1_000, pieces), ClientGone);
  assert.deepEqual([made.length, answers.takenBytes], [3, 0]);
});
