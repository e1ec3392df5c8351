import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { dayOfCivil, HOUR_MS, istInstant } from '../../../src/base/time.ts';
import { Turns } from '../../../src/gateway/turns.ts';
import { Wire } from '../../../src/gateway/wire.ts';
import { FuzzWorld } from '../../property/fuzz/fuzz-world.ts';

const AT = istInstant(must(dayOfCivil(2026, 11, 18), 'a date'), 11 * HOUR_MS);
const LIMIT = 4_096;

/** A wire in an event loop by hand, in which reading a body costs two milliseconds. */
async function openLoop(parse: (read: () => void) => void) {
  const world = await FuzzWorld.open({ regime: 'always', at: AT, rateLimit: 'off', slicing: 'off' });
  let now = 1_000;
  let next: (() => void)[] = [];
  const turns = new Turns({ elapsed: () => now, afterTurn: (work) => next.push(work) });
  const wire = new Wire(world.deps, turns);
  parse(() => {
    now += 2;
  });
  const answers: string[] = [];
  const operation = must(wire.operationAt('/V1/limit'), 'an operation');
  return {
    answers,
    turns,
    ask: (address: string, text: string): void => {
      const send = ({ body }: { readonly body: string | Buffer }): void =>
        void answers.push(`${address} ${JSON.parse(String(body)).error.field}`);
      const call = { address, idempotencyKey: undefined, belongTo: () => true, send };
      const fail = () => assert.fail('it is answered at once');
      wire.enter(operation, text, { ...call, sendLong: fail, cut: fail });
    },
    turn: (): number => {
      const [works, before] = [next, answers.length];
      next = [];
      for (const work of works) work();
      return answers.length - before;
    },
  };
}

test('large bodies are read in turns of their addresses, a few in each turn of the loop', async (t) => {
  const { parse } = JSON;
  let reads = 0;
  const { ask, turn, turns, answers } = await openLoop((read) => {
    t.mock.method(JSON, 'parse', (text: string) => {
      if (text.length > LIMIT) {
        reads += 1;
        read();
      }
      return parse(text);
    });
  });
  const large = `{"a":[${'[],'.repeat(LIMIT)}0]}`;
  for (let count = 0; count < 128; count += 1) ask('a stranger', large);
  assert.equal(reads, 2, 'a turn has three milliseconds');
  assert.equal(turns.waiting, 126);
  ask('another one', '{}');
  ask('a third', '{');
  for (let count = 0; count < 3; count += 1) turn();
  assert.deepEqual(
    ['another one userId', 'a third body'].filter((answer) => !answers.includes(answer)),
    [],
    'others are served in between',
  );
  let most = 0;
  while (turns.waiting > 0) most = Math.max(most, turn());
  assert.equal(most, 2);
  assert.equal(answers.filter((answer) => answer === 'a stranger userId').length, 128, 'each is answered');
});

test('a body that is not large is read at once, and a large one that is not JSON is refused in its turn', async () => {
  const { ask, answers } = await openLoop(() => undefined);
  const bodyOf = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
  for (const text of [bodyOf(LIMIT), bodyOf(LIMIT + 1), '['.repeat(65_536), '"x"']) ask('one', text);
  assert.deepEqual(answers, ['one userId', 'one userId', 'one body', 'one body']);
});
