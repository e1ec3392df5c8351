import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { portsAtTick, testPorts } from '../../test/kit/ports.ts';
import type { AccountId, Tick } from '../base/ids.ts';
import type { EpochMs, WallMs } from '../base/time.ts';
import type { Account } from '../core/account.ts';
import type { Command } from '../core/command.ts';
import type { DecisionPorts } from '../core/ports.ts';
import { emptyState, type Session, type State } from '../core/state.ts';
import { type EnginePort, type Submission, Unavailable } from '../engine/port.ts';
import { emptyViews, type Views } from '../views/views.ts';
import { SessionLookup } from './sessions.ts';

const NOW = 1_795_150_800_000 as WallMs;
const TOKEN = 'a'.repeat(64);
const PORTS = portsAtTick(testPorts(), (NOW / 1_000) as Tick);

/** An engine with one session whose reads can be refused, or held until they are released. */
class HoldingEngine implements EnginePort {
  readonly state: State = emptyState();
  refuses = false;
  release: (() => void) | undefined;
  holds = false;

  constructor() {
    const tokenDigest = createHash('sha256').update(TOKEN).digest('hex');
    const session: Session = { tokenDigest, account: 0 as AccountId, openedAt: NOW, lastUsedAt: NOW };
    this.state.sessions.set(tokenDigest, session);
    this.state.accounts.push({ userId: 'AB1234' } as Account);
  }

  submit(_submission: Submission): never {
    throw new Unavailable('no commands here');
  }

  now(): EpochMs {
    return 0 as EpochMs;
  }

  glance<T>(query: (state: State, ports: DecisionPorts, views: Views) => T): T {
    return query(this.state, PORTS, emptyViews());
  }

  read<T>(query: (state: State, views: Views, ports: DecisionPorts) => T): T | Promise<T> {
    if (this.refuses) return Promise.reject(new Unavailable('too much waits'));
    const value = query(this.state, emptyViews(), PORTS);
    if (!this.holds) return value;
    return new Promise((resolve) => {
      this.release = () => resolve(value);
    });
  }
}

function lookupOf(engine: EnginePort): SessionLookup {
  return new SessionLookup(
    engine,
    (error) => {
      throw error;
    },
    NOW,
  );
}

test('a session is found at once, even while records wait for the disk', () => {
  const engine = new HoldingEngine();
  engine.holds = true;
  const found = lookupOf(engine).find(TOKEN, 'AB1234', NOW);
  assert.ok(!(found instanceof Promise) && 'account' in found);
});

test('a failure waits until the state that it saw is durable', async () => {
  const engine = new HoldingEngine();
  engine.holds = true;
  const found = lookupOf(engine).find('b'.repeat(64), 'AB1234', NOW);
  assert.ok(found instanceof Promise);
  engine.release?.();
  assert.equal((await found).name, 'INVALID_JKEY');
});

test('a refused read finds no session, least of all the one that was found before', async () => {
  const engine = new HoldingEngine();
  const lookup = lookupOf(engine);
  assert.ok('account' in lookup.find(TOKEN, 'AB1234', NOW));
  engine.refuses = true;
  const found = lookup.find('b'.repeat(64), 'CD5678', NOW);
  assert.ok(found instanceof Promise);
  await assert.rejects(found, Unavailable);
});

test('a token that was good is asked for again with every request', () => {
  const engine = new HoldingEngine();
  const lookup = lookupOf(engine);
  const nameOf = (userId: string, at = NOW) => {
    const found = lookup.find(TOKEN, userId, at);
    assert.ok(!(found instanceof Promise));
    return 'account' in found ? 'found' : found.name;
  };
  assert.deepEqual([nameOf('AB1234'), nameOf('AB1234')], ['found', 'found']);
  assert.equal(nameOf('CD5678'), 'INVALID_USERID', 'another user with it');
  assert.equal(nameOf('AB1234'), 'found');
  assert.equal(nameOf('AB1234', (NOW + 13 * 3_600_000) as WallMs), 'INVALID_JKEY', 'idle for too long');
  assert.equal(nameOf('AB1234'), 'found');
  engine.state.sessions.clear();
  assert.equal(nameOf('AB1234'), 'INVALID_JKEY', 'logged out');
});

/** An engine that records the commands that it gets, and answers as it is set to. */
class ListeningEngine extends HoldingEngine {
  readonly told: Command[] = [];
  failure: Error | undefined;

  override submit({ command }: Submission): never {
    this.told.push(command);
    return (this.failure === undefined ? Promise.resolve() : Promise.reject(this.failure)) as never;
  }
}

const later = (ms: number): WallMs => (NOW + ms) as WallMs;

test('the use of a session is written down when ten minutes have passed, and once in ten minutes', () => {
  const engine = new ListeningEngine();
  const lookup = lookupOf(engine);
  const toldAfter = (ms: number) => {
    assert.ok('account' in lookup.find(TOKEN, 'AB1234', later(ms)));
    return engine.told.length;
  };
  assert.equal(toldAfter(10 * MINUTES - 1), 0);
  assert.equal(toldAfter(10 * MINUTES), 1);
  assert.deepEqual(engine.told[0], { type: 'TouchSession', tokenDigest: [...engine.state.sessions.keys()][0] });
  assert.equal(toldAfter(10 * MINUTES + 1), 1, 'it is under way');
  assert.equal(toldAfter(20 * MINUTES - 1), 1);
  assert.equal(toldAfter(20 * MINUTES), 2, 'it did not come through');
});

test('a use that cannot be written down now is left out, any other failure is reported', async () => {
  const engine = new ListeningEngine();
  const failures: unknown[] = [];
  const lookup = new SessionLookup(engine, (error) => failures.push(error), NOW);
  engine.failure = new Unavailable('too much waits');
  void lookup.find(TOKEN, 'AB1234', later(3_600_000));
  await new Promise(setImmediate);
  assert.deepEqual(failures, []);
  engine.failure = new Error('broken');
  void lookup.find(TOKEN, 'AB1234', later(7_200_000));
  await new Promise(setImmediate);
  assert.deepEqual(failures, [engine.failure]);
});

const HOURS = 3_600_000;
const MINUTES = 60_000;

test('a session lives for twelve hours after its last use, also when the journal has an earlier one', () => {
  const engine = new ListeningEngine();
  const lookup = lookupOf(engine);
  const isFound = (ms: number) => 'account' in lookup.find(TOKEN, 'AB1234', later(ms));
  assert.ok(isFound(10 * MINUTES - 1));
  assert.equal(engine.told.length, 0);
  assert.ok(isFound(12 * HOURS + 10 * MINUTES - 2), 'idle for a millisecond less than twelve hours');
  assert.deepEqual(engine.told[0]?.type, 'TouchSession');
  assert.ok(!('account' in lookupOf(engine).find(TOKEN, 'AB1234', later(12 * HOURS))), 'never used');
});

test('a session that a former process knew may have been used then until ten minutes after the journal has it', () => {
  const engine = new ListeningEngine();
  const isFound = (since: number, ms: number) =>
    'account' in new SessionLookup(engine, () => assert.fail(), later(since)).find(TOKEN, 'AB1234', later(ms));
  assert.ok(isFound(6 * HOURS, 12 * HOURS + 10 * MINUTES - 1));
  assert.ok(!isFound(6 * HOURS, 12 * HOURS + 10 * MINUTES));
  assert.ok(isFound(4 * MINUTES, 12 * HOURS + 4 * MINUTES - 1), 'it ended four minutes after the last use');
  assert.ok(!isFound(4 * MINUTES, 12 * HOURS + 4 * MINUTES));
});
