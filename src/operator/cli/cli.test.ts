import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WallMs } from '../../base/time.ts';
import type { Config } from '../../config.ts';
import type { WhyReport } from '../../engine/why/why-report.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { writeDemoFile } from '../demo/demo-file.ts';
import { issueCredentials } from '../operations/issued-credentials.ts';
import { runCommandLine } from './cli.ts';

const NOW = 1_790_000_000_000 as WallMs;
const USERS = [issueCredentials('SD1001', false), issueCredentials('SD1002', true)];

const WHY: WhyReport = {
  order: 26112100000001,
  userId: 'SD1001',
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  transactionType: 'S',
  product: 'I',
  steps: [],
};

interface Run {
  readonly printed: string;
  readonly started: Config[];
}

async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const printed: string[] = [];
  const started: Config[] = [];
  await runCommandLine(args, {
    version: '0.0.0',
    env,
    now: () => NOW,
    print: (text) => printed.push(text),
    printLines: async (lines) => {
      printed.push(...lines);
    },
    start: async (config) => {
      started.push(config);
    },
    verify: async ({ folder }, withMark) => `verified ${folder} ${withMark ? 'with' : 'without'} its mark`,
    backUp: async ({ folder }, to) => `${folder} to ${to}`,
    searchAudit: async () => [],
    restore: async ({ folder }, from) => `${from} to ${folder}`,
    branch: async ({ from, to, place, by, why }) => JSON.stringify([from, to, place, by, why]),
    compare: async () => ({ since: 0, folders: [] }),
    why: async (_folder, order) => {
      if (order !== WHY.order) throw new CommandFailed(`the journal has no order ${order}`, EXIT_FAILED);
      return WHY;
    },
    addOthers: () => undefined,
    initCluster: async (file) => `lanes of ${file}`,
    beginCluster: async (file) => `lanes of ${file}`,
    endCluster: async (file) => `lanes of ${file}`,
    verifyCluster: async (file, data) => `${file} beside ${data}`,
    provisionMember: async (from, to) => `${to} as ${from}`,
    importInstruments: async ({ instruments }, file) => `${file} to ${instruments}`,
    importTapes: async ({ tapes }, files, terms) => `${files.join(', ')} to ${tapes} ${JSON.stringify(terms)}`,
    listTapes: async ({ tapes }, asJson) => `${tapes} as ${asJson ? 'JSON' : 'text'}`,
    showTape: async ({ tapes }, what) => `${what} of ${tapes}`,
    removeTape: async ({ tapes }, digest, isPlayed) => `${digest} of ${tapes}${isPlayed ? ' though played' : ''}`,
  });
  return { printed: printed.join('\n'), started };
}

async function inData(body: (data: string) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'sauda-cli-'));
  try {
    mkdirSync(data, { recursive: true });
    writeDemoFile(join(data, 'demo-users.json'), { complete: true, users: USERS });
    await body(data);
  } finally {
    rmSync(data, { recursive: true });
  }
}

test('start is the command when none is named, with settings from everywhere', async () => {
  const { started } = await run(['--port', '9000'], { SAUDA_SEED: '7' });
  assert.deepEqual([started[0]?.port, started[0]?.seed], [9000, 7]);
  assert.equal((await run(['start', '--hours', 'exchange'])).started[0]?.hours, 'exchange');
});

test('wrong settings are refused before anything starts', async () => {
  await assert.rejects(run(['start', '--port', 'x', '--hours', 'y']), (error) => {
    assert.ok(error instanceof CommandFailed);
    assert.equal(error.exitCode, EXIT_CONFIG);
    assert.match(error.message, /--port is "x"[\s\S]*--hours is "y"/);
    return true;
  });
});

test('an unknown command is refused by name, and not taken for an argument of the default command', async () => {
  for (const words of [['strat'], ['user', 'lst'], ['kill', 'everything'], ['demo', 'x']]) {
    const above = ['sauda', ...words.slice(0, -1)].join(' ');
    const message = `there is no command ${words.at(-1)}; see ${above} --help`;
    await assert.rejects(run(words), { exitCode: EXIT_USAGE, message });
  }
  assert.equal((await run([], { SAUDA_CONFIG: '' })).started.length, 1);
});

test('a loss is accepted by number only', async () => {
  await assert.rejects(run(['start', '--accept-loss', 'all']), (error) => {
    return error instanceof CommandFailed && error.exitCode === EXIT_USAGE && /--accept-loss/.test(error.message);
  });
});

test('demo credentials as JSON are the users in the order of their creation, without a secret where there is none', () =>
  inData(async (data) => {
    const { printed } = await run(['demo', 'credentials', '--json'], { SAUDA_DATA: data });
    const rows = JSON.parse(printed) as Record<string, string>[];
    assert.deepEqual(
      rows,
      USERS.map((user) => ({ ...user })),
    );
    assert.deepEqual(Object.keys(rows[0] ?? {}), ['userId', 'password', 'vendorCode', 'apiKey']);
    assert.deepEqual(Object.keys(rows[1] ?? {}), ['userId', 'password', 'totpSecret', 'vendorCode', 'apiKey']);
  }));

test('demo credentials as shell variables carry the digest and the code of the moment', () =>
  inData(async (data) => {
    const { printed } = await run(['demo', 'credentials', '--env', '--data', data]);
    for (const line of printed.split('\n')) assert.match(line, /^DEMO[12]_[A-Z0-9_]+=[A-Za-z0-9_]*$/);
    assert.match(printed, /^DEMO1_PASSWORD_SHA256=[0-9a-f]{64}$/m);
    assert.match(printed, /^DEMO1_TOTP=$/m);
    assert.match(printed, /^DEMO2_TOTP=\d{6}$/m);
    const code = /^DEMO2_TOTP=(\d+)$/m.exec(printed)?.[1];
    assert.equal((await run(['totp', 'SD1002', '--data', data])).printed, code);
  }));

test('without demo users the credentials command says so', async () => {
  const nowhere = join(tmpdir(), 'sauda-nowhere');
  await assert.rejects(run(['demo', 'credentials', '--json', '--data', nowhere]), (error) => {
    assert.ok(error instanceof CommandFailed);
    assert.equal(error.exitCode, EXIT_FAILED);
    assert.match(error.message, /has no demo users/);
    return true;
  });
});

test('actions on users need a service that was started in the data folder', async () => {
  await assert.rejects(
    run(['user', 'deposit', 'AB1234', '100', '--data', join(tmpdir(), 'sauda-nowhere')]),
    /no operator token/,
  );
});

test('why prints how an order was judged, as text or as JSON, and refuses a word that is not an order number', () =>
  inData(async (data) => {
    const { printed } = await run(['why', String(WHY.order), '--data', data]);
    assert.equal(printed, 'order 26112100000001: SD1001 sells ITC-EQ on NSE, product I');
    assert.deepEqual(JSON.parse((await run(['why', String(WHY.order), '--json', '--data', data])).printed), WHY);
    await assert.rejects(run(['why', '7', '--data', data]), /the journal has no order 7/);
    await assert.rejects(run(['why', '2611210000000001', '--data', data]), /has no order 2611210000000001/);
    await assert.rejects(run(['why', 'seven', '--data', data]), { exitCode: EXIT_USAGE });
  }));

test('the commands on tapes hand over files, words and folders', () =>
  inData(async (data) => {
    const tapes = join(data, 'tapes');
    const file = join(data, 'x.csv');
    writeFileSync(file, '');
    const words = ['--exchange', 'BSE', '--symbol', 'ITC', '--as', 'ticks', '--skip-known'];
    const imported = await run(['tape', 'import', file, file, ...words, '--data', data]);
    const terms = '{"exchange":"BSE","symbol":"ITC","as":"ticks","skipKnown":true}';
    assert.equal(imported.printed, `${file}, ${file} to ${tapes} ${terms}`);
    assert.equal((await run(['tape', 'list', '--json', '--data', data])).printed, `${tapes} as JSON`);
    assert.equal((await run(['tape', 'show', 'NSE:ITC-EQ', '--data', data])).printed, `NSE:ITC-EQ of ${tapes}`);
    assert.equal((await run(['tape', 'remove', 'ab', '--data', data])).printed, `ab of ${tapes}`);
    assert.match((await run(['tape', 'remove', 'ab', '--played', '--data', data])).printed, /though played$/);
    await assert.rejects(
      run(['tape', 'import', join(data, 'none.csv'), '--data', data]),
      /none\.csv cannot be imported/,
    );
    await assert.rejects(run(['tape', 'import', data, '--data', data]), /cannot be imported/);
  }));

test('verify, backup, restore and instruments import work on the data folder', () =>
  inData(async (data) => {
    assert.equal((await run(['verify', '--data', data])).printed, `verified ${data} with its mark`);
    assert.equal(
      (await run(['verify', '--without-mark', '--data', data])).printed,
      `verified ${data} without its mark`,
    );
    assert.equal((await run(['backup', 'there', '--data', data])).printed, `${data} to there`);
    assert.equal((await run(['restore', 'there', '--data', data])).printed, `there to ${data}`);
    const file = join(data, 'x.csv');
    writeFileSync(file, '');
    const { printed } = await run(['instruments', 'import', file, '--data', data]);
    assert.equal(printed, `${file} to ${join(data, 'instruments.json')}`);
  }));
