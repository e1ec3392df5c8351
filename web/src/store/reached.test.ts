/** Tests of questions that are asked until they have an answer. */
import { deepEqual, equal } from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { InvalidRequest, TransportError } from '../../../client/src/errors.ts';
import { link } from './link.ts';
import { askUntilAnswered } from './reached.ts';

const REST_MS = 5_000;
const LOST = new TransportError('lost', 'no answer');

let answers: (() => Promise<string>)[] = [];
let asked = 0;
let heard: unknown[] = [];
let stop: () => void = () => undefined;

async function turn(): Promise<void> {
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
}

async function begin(...given: readonly (() => Promise<string>)[]): Promise<void> {
  answers = [...given];
  const ask = (): Promise<string> => {
    asked += 1;
    return (answers.shift() ?? (() => Promise.reject(LOST)))();
  };
  stop = askUntilAnswered(
    ask,
    (answer) => void heard.push(answer),
    (error) => void heard.push(error),
  );
  await turn();
}

const lost = (): Promise<string> => Promise.reject(LOST);

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  link.value = 'live';
  [asked, heard] = [0, []];
});

afterEach(() => {
  stop();
  mock.timers.reset();
});

test('a question that failed on a live link is asked again some seconds later, until it is answered', async () => {
  await begin(lost, lost, async () => 'yes');
  deepEqual(heard, [LOST]);
  for (let round = 0; round < 3; round += 1) {
    mock.timers.tick(REST_MS);
    await turn();
  }
  deepEqual([asked, heard], [3, [LOST, LOST, 'yes']]);
});

test('a question that failed while the service was away is asked again as soon as the link is back', async () => {
  link.value = 'cut';
  await begin(lost, async () => 'yes');
  mock.timers.tick(REST_MS * 10);
  await turn();
  equal(asked, 1, 'nothing is asked of a service that is away');
  link.value = 'live';
  await turn();
  deepEqual([asked, heard], [2, [LOST, 'yes']]);
  mock.timers.tick(REST_MS * 10);
  await turn();
  equal(asked, 2);
});

test('a refusal is final, and so is the end of the questions', async () => {
  await begin(() => Promise.reject(new InvalidRequest({ status: 400, code: 'X', field: 'a', message: 'unknown' })));
  mock.timers.tick(REST_MS);
  await turn();
  equal(asked, 1);
  await begin(lost);
  stop();
  mock.timers.tick(REST_MS);
  link.value = 'cut';
  link.value = 'live';
  await turn();
  equal(asked, 2);
});
