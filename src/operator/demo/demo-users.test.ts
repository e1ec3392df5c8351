import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import { type Exchange, instrumentId } from '../../base/ids.ts';
import { paise, price, quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import { type Account, emptyHolding, ownTable } from '../../core/account.ts';
import type { Equity, InstrumentDirectory } from '../../core/instrument.ts';
import { booksToMove, emptyClientBooks } from '../../core/ledger/books.ts';
import type { DecisionPorts } from '../../core/ports.ts';
import type { Reply } from '../../core/reply.ts';
import { emptyState, type State } from '../../core/state.ts';
import type { EnginePort, Submission } from '../../engine/port.ts';
import type { Views } from '../../views/views.ts';
import { UserOperations } from '../operations/user-operations.ts';
import { DemoFileError, readDemoFile } from './demo-file.ts';
import { completeDemoUsers, markShown } from './demo-users.ts';

const NOW = 1_790_000_000_000 as EpochMs;

class PowerCut extends Error {}

/** Does what the core does with the commands of an operator, and loses power after `budget` of them. */
class MemoryEngine implements EnginePort {
  readonly state: State = emptyState();
  budget = Number.POSITIVE_INFINITY;
  done = 0;

  async submit({ command }: Submission): Promise<Reply> {
    if (this.done >= this.budget) throw new PowerCut();
    this.done += 1;
    switch (command.type) {
      case 'RegisterUser':
        return this.register(command.userId, command.sealedCredentials, command.usesTotp, command.demo);
      case 'DepositCash': {
        const account = this.account(command.account);
        account.paidIn = paise(account.paidIn + command.amount);
        const books = booksToMove(account, 'cash');
        if (command.opening) books.cash = paise(books.cash + command.amount);
        return { type: 'Done', at: NOW };
      }
      case 'CreditHolding': {
        const isin = `ISIN${command.instrument}`;
        const { instrument, cost } = command;
        const held = { ...emptyHolding(isin, instrument), settled: command.quantity, cost };
        ownTable(this.account(command.account), 'holdings').set(isin, held);
        return { type: 'Done', at: NOW };
      }
      default:
        throw new Error(`no such command here: ${command.type}`);
    }
  }

  read<T>(query: (state: State, views: Views, ports: DecisionPorts) => T): T {
    return query(this.state, {} as Views, {} as DecisionPorts);
  }

  now(): EpochMs {
    return NOW;
  }

  glance<T>(query: (state: State, ports: DecisionPorts, views: Views) => T): T {
    return query(this.state, {} as DecisionPorts, {} as Views);
  }

  private account(index: number): Account {
    const account = this.state.accounts.at(index);
    assert.ok(account);
    return account;
  }

  private register(userId: string, sealedCredentials: string, usesTotp: boolean, demo: boolean): Reply {
    const id = this.state.accounts.length as Account['id'];
    assert.equal(this.state.accountByUser.has(userId), false, 'registered twice');
    const card = this.state.cards.add({ email: '', sealedCredentials });
    const account = { id, userId, card, usesTotp, demo, books: emptyClientBooks(), paidIn: paise(0) };
    this.state.accounts.push({ ...account, holdings: new Map() } as unknown as Account);
    this.state.accountByUser.add(id);
    return { type: 'UserRegistered', account: id };
  }
}

const tokens = new Map<string, number>();

function operationsOf(engine: EnginePort): UserOperations {
  const find = (exchange: Exchange, symbol: string): Equity | undefined => {
    if (!symbol.endsWith('-EQ') || symbol.startsWith('NIFTY')) return undefined;
    const token = tokens.get(symbol) ?? tokens.size + 1;
    tokens.set(symbol, token);
    return { kind: 'equity', id: instrumentId(exchange, token), isin: `I${token}` } as Equity;
  };
  return new UserOperations({
    engine,
    instruments: { find } as unknown as InstrumentDirectory,
    enrol: async (issued) => `sealed ${issued.userId}`,
    priceOf: () => price(100_00),
  });
}

async function inFolder(body: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-demo-'));
  try {
    await body(join(folder, 'demo-users.json'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function summary(engine: MemoryEngine): unknown {
  return [...engine.state.accounts].map(({ userId, usesTotp, demo, books, paidIn, holdings }) => {
    return {
      userId,
      usesTotp,
      demo,
      cash: books.cash,
      paidIn,
      holdings: [...holdings.values()].map(({ settled }) => settled),
    };
  });
}

test('three users come with 10 lakh rupees and shares, one of them without one-time codes', () =>
  inFolder(async (path) => {
    const engine = new MemoryEngine();
    const users = await completeDemoUsers(path, operationsOf(engine));
    assert.equal(users.length, 3);
    assert.equal(users.filter(({ totpSecret }) => totpSecret === undefined).length, 1);
    for (const { userId, vendorCode, apiKey, password } of users) {
      assert.equal(vendorCode, `${userId}_API`);
      assert.match(apiKey, /^[0-9a-f]{32}$/);
      assert.ok(password.length >= 12);
    }
    for (const account of engine.state.accounts) {
      assert.equal(account.books.cash, 10_00_000_00);
      assert.equal(account.demo, true);
      assert.equal(account.holdings.size, 3);
    }
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readDemoFile(path), { complete: true, unshown: true, users });
  }));

test('a start that is cut off after any command is completed by the next, with the same secrets', async () => {
  const whole = new MemoryEngine();
  await inFolder(async (path) => {
    await completeDemoUsers(path, operationsOf(whole));
  });
  for (let budget = 0; budget < whole.done; budget += 1) {
    await inFolder(async (path) => {
      const engine = new MemoryEngine();
      engine.budget = budget;
      await assert.rejects(completeDemoUsers(path, operationsOf(engine)), PowerCut);
      const written = readDemoFile(path);
      assert.equal(written?.complete, false);
      engine.budget = Number.POSITIVE_INFINITY;
      assert.deepEqual(await completeDemoUsers(path, operationsOf(engine)), written?.users);
      assert.deepEqual(summary(engine), summary(whole), `cut off after ${budget} commands`);
    });
  }
});

test('complete demo users are left alone, whatever they have sold since', () =>
  inFolder(async (path) => {
    const engine = new MemoryEngine();
    const users = await completeDemoUsers(path, operationsOf(engine));
    const { done } = engine;
    ownTable(must(engine.state.accounts.at(0), 'an account'), 'holdings').clear();
    assert.deepEqual(await completeDemoUsers(path, operationsOf(engine)), users, 'nobody has seen them');
    assert.equal(engine.done, done);
  }));

test('the secrets are given out until they were shown, those of a file that does not say so never again', () =>
  inFolder(async (path) => {
    const operations = operationsOf(new MemoryEngine());
    const users = await completeDemoUsers(path, operations);
    assert.deepEqual(await completeDemoUsers(path, operations), users);
    markShown(path);
    assert.deepEqual(readDemoFile(path), { complete: true, users });
    assert.deepEqual(await completeDemoUsers(path, operations), []);
    markShown(path);
    assert.deepEqual(readDemoFile(path), { complete: true, users });
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }));

test('a damaged file of secrets is reported and not replaced', () =>
  inFolder(async (path) => {
    for (const text of ['', '{', '[]', '{"version":1,"complete":true,"users":[{"userId":1}]}', '{"version":2}']) {
      writeFileSync(path, text);
      await assert.rejects(completeDemoUsers(path, operationsOf(new MemoryEngine())), DemoFileError, text);
    }
  }));

test("an operator's refusals say what is wrong and change nothing", async () => {
  const engine = new MemoryEngine();
  const operations = operationsOf(engine);
  const registration = { userId: 'AB1234', name: 'A', email: 'a@b.c', usesTotp: true, demo: false };
  const first = await operations.register(registration);
  assert.ok(first.ok && first.value.totpSecret !== undefined);
  const { done } = engine;
  const refused = [
    await operations.register(registration),
    await operations.register({ ...registration, userId: 'ab' }),
    await operations.deposit('NOBODY', paise(1), false),
    await operations.credit('NOBODY', 'NSE', 'ITC-EQ', quantity(1)),
    await operations.credit('AB1234', 'NSE', 'NIFTY', quantity(1)),
  ];
  const rules = refused.map((result) => (result.ok ? 'done' : result.error.rule));
  assert.deepEqual(rules, ['UserExists', 'UserIdShape', 'UnknownUser', 'UnknownUser', 'UnknownEquity']);
  assert.equal(engine.done, done);
});
