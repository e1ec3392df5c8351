import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../base/ids.ts';
import { LongAnswer } from './answer.ts';
import type { GatewayParts } from './deps.ts';
import { AnswerMemory } from './http/answer-memory.ts';
import { type ListSpec, listAnswer } from './long-answer.ts';
import type { Caller } from './operation.ts';
import { Turns } from './turns.ts';

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
  const made = await listAnswer(changingParts(rows), { account: 0 as AccountId } as Caller, spec);
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
