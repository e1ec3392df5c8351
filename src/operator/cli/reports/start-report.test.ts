import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type { WallMs } from '../../../base/time.ts';
import { issueCredentials } from '../../operations/issued-credentials.ts';
import { firstTrade, type StartFacts, startReport } from './start-report.ts';

const NOW = 1_790_000_000_000 as WallMs;
const FACTS: StartFacts = {
  address: 'http://127.0.0.1:8080',
  operatorAddress: 'http://127.0.0.1:8081',
  hasPage: true,
  data: resolve('.sauda'),
  market: 'synthetic',
  seed: 1,
  hours: 'always',
  shares: 7,
  clock: undefined,
  hasDemoUsers: true,
};
const USERS = [issueCredentials('SD1001', false)];

test('the command that prints the demo users again names the data folder unless it is the default', () => {
  for (const users of [[], USERS]) {
    assert.match(startReport(FACTS, users, NOW), /npx sauda demo credentials\)?:?$/m);
    assert.match(
      startReport({ ...FACTS, data: '/srv/x' }, users, NOW),
      /npx sauda demo credentials --data '\/srv\/x'\)?:?$/m,
    );
  }
});

test('a start prints the address of the terminal first, and none where there is no page', () => {
  const addresses = /https?:\/\/\S+/g;
  assert.equal(startReport(FACTS, USERS, NOW).match(addresses)?.[0], 'http://127.0.0.1:8080/');
  const without = startReport({ ...FACTS, hasPage: false }, USERS, NOW);
  assert.equal(without.match(addresses)?.[0], 'http://127.0.0.1:8080/V1');
  assert.doesNotMatch(without, /terminal/);
});

test('a start names the reference of the running service', () => {
  assert.match(startReport(FACTS, [], NOW), /^ {2}reference {5}http:\/\/127\.0\.0\.1:8080\/docs$/m);
});

test('a start names the command that opens the page of the operator, with its data folder, and none without a page', () => {
  assert.match(startReport(FACTS, [], NOW), /^ {2}operator .*8081 \(page: npx sauda operator page; \/livez/m);
  assert.match(startReport({ ...FACTS, data: '/srv/x' }, [], NOW), /npx sauda operator page --data '\/srv\/x'; /);
  assert.doesNotMatch(startReport({ ...FACTS, hasPage: false }, [], NOW), /operator page/);
});

test('a service without demo users says nothing of them', () => {
  assert.doesNotMatch(startReport({ ...FACTS, hasDemoUsers: false }, [], NOW), /demo/i);
});

test('a shell reads a data folder as it is, with blanks and apostrophes', () => {
  const data = "/srv/the broker's $HOME";
  const [line = ''] = firstTrade(FACTS.address, data);
  const inner = /^eval "\$\(npx (.*)\)"$/.exec(line)?.[1] ?? assert.fail(line);
  const read = execFileSync('bash', ['-c', `sauda() { printf '%s\\n' "$@"; }; ${inner}`], { encoding: 'utf8' });
  assert.deepEqual(read.trimEnd().split('\n'), ['demo', 'credentials', '--env', '--data', data]);
});

test('a start prints the market clock where it is set', () => {
  assert.doesNotMatch(startReport(FACTS, [], NOW), /clock/);
  assert.match(startReport({ ...FACTS, clock: '2026-11-20 09:00:00 IST' }, [], NOW), /^ {2}clock {9}2026-11-20 09:00/m);
});
