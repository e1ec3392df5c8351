import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOperatorPort } from '../../../test/kit/operator-port.ts';
import type { FoundLines, TrailQuestion, TrailReading } from '../../audit/port.ts';
import { DAY_MS } from '../../base/time.ts';

const LINES: FoundLines = { lines: [{ n: 7, utc: 1, kind: 'Act', why: 'runaway program' }], reached: 7 };

/** A trail that notes the questions and gives one answer. */
function trailThatGives(found: FoundLines | undefined): { trailReading: TrailReading; asked: TrailQuestion[] } {
  const asked: TrailQuestion[] = [];
  const newest = async (question: TrailQuestion): Promise<FoundLines | undefined> => {
    asked.push(question);
    return found;
  };
  return { trailReading: { kinds: ['Act', 'Login'], newest }, asked };
}

test('the words of a question reach the reading of the trail, whole days included', async () => {
  const { trailReading, asked } = trailThatGives(LINES);
  await withOperatorPort(
    () => ({ trailReading }),
    {},
    async ({ get, address }) => {
      const query = 'user=SD1001&order=12&op=POST%20/switches&kind=Act&from=2026-11-23&to=2026-11-23&before=99&limit=5';
      const answer = await get(`/audit?${query}`);
      assert.deepEqual([answer.status, await answer.json()], [200, LINES]);
      await get('/audit');
      assert.equal((await fetch(`${address}/audit`)).status, 401);
    },
  );
  const from = Date.UTC(2026, 10, 22, 18, 30);
  const words = { user: 'SD1001', order: 12, op: 'POST /switches', kind: 'Act', before: 99, most: 5 };
  assert.deepEqual(asked, [{ ...words, from, to: from + DAY_MS - 1 }, { most: 100 }]);
});

test('words that the trail does not know are refused and never read', async () => {
  const { trailReading, asked } = trailThatGives(LINES);
  await withOperatorPort(
    () => ({ trailReading }),
    {},
    async ({ get }) => {
      for (const wrong of ['limit=0', 'limit=501', 'kind=Fun', 'from=2026-02-30', 'order=x', 'op=', 'user=', 'why=x']) {
        const answer = await get(`/audit?${wrong}`);
        assert.deepEqual(
          [answer.status, typeof ((await answer.json()) as { error: unknown }).error],
          [400, 'string'],
          wrong,
        );
      }
    },
  );
  assert.deepEqual(asked, []);
});

test('a reading is refused with 503 while too many wait', async () => {
  const { trailReading } = trailThatGives(undefined);
  await withOperatorPort(
    () => ({ trailReading }),
    {},
    async ({ get }) => {
      const answer = await get('/audit');
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1']);
    },
  );
});
