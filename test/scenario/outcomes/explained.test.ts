import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { paise } from '../../../src/base/money.ts';
import { type EpochMs, istInstant, wallOf } from '../../../src/base/time.ts';
import type { Command } from '../../../src/core/command.ts';
import { type RunningEngine, startEngine } from '../../../src/engine/start-engine.ts';
import { orderTrials } from '../../../src/engine/why/order-trials.ts';
import { whyReport } from '../../../src/engine/why/why-report.ts';
import { whyText } from '../../../src/operator/cli/reports/why-report.ts';
import { FIRST_DAY, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { placement } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { unasked } from '../../kit/unasked.ts';

const folder = mkdtempSync(join(tmpdir(), 'sauda-outcomes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const market = new StillMarket();
market.quotes.set(RELIANCE.id, { bid: 999_00, ask: 1_001_00, last: 1_000_00, close: 1_000_00 });
const ports = testPorts({ market });
let now = istInstant(FIRST_DAY, 36_000_000);

function run(): Promise<RunningEngine> {
  const failStop = (error: unknown): never => {
    throw error;
  };
  const wall = () => wallOf(now);
  return startEngine(
    { folder, snapshotRecords: 1_000_000, snapshotMinutes: 60 },
    { ports, wall, failStop, log: () => undefined },
  );
}

test('an explanation names the outcome that was asked for and all that came of it, over a stop in the middle', async () => {
  const first = await run();
  const submit = (command: Command) => first.engine.submit(unasked(command));
  const names = { userId: 'AB1234', name: 'A', email: 'a@example.com', sealedCredentials: '-' };
  await submit({ ...names, type: 'RegisterUser', usesTotp: false, demo: true });
  await submit({ type: 'DepositCash', account: 0 as AccountId, amount: paise(1_000_000_00), opening: true });
  const words = { by: 0 as AccountId, of: RELIANCE.id, side: 'B', units: 10, at: 1_002_00, product: 'C' } as const;
  const scenario = { fillPercent: 40, cancelAfter: 3_000, ackDelay: 1_500 } as const;
  const asked = { ...placement(words), remarks: 'sim:ack-delay=1500;fill=40%;cancel-after=3000', scenario };
  const reply = await submit(asked);
  assert.ok(reply.type === 'OrderPlaced');
  await first.stop();
  const second = await run();
  now = (now + 10_000) as EpochMs;
  second.engine.doAllPresent();
  await second.stop();
  const found = orderTrials(folder, reply.order, () => ports);
  const report = found && whyReport(found, () => RELIANCE);
  assert.deepEqual(
    report?.outcomes?.map(({ at, outcome }) => `${at.slice(11)} ${outcome}`),
    [
      `10:00:00 asked for by remarks: ${asked.remarks}`,
      '10:00:00 pending until 2026-11-23 10:00:01.500',
      '10:00:01 to be cancelled by the exchange at 2026-11-23 10:00:04.500',
      '10:00:01 set aside: it stands in no queue',
      '10:00:01 filled 4 at 1001.00 on demand',
      '10:00:04 cancelled by the exchange on demand',
    ],
  );
  assert.deepEqual(
    report.steps.map(({ step, outcome }) => `${step} ${outcome}`),
    ['placement admitted', 'placement admitted'],
  );
  assert.match(whyText(report), /\non demand:\n {2}\S+ 10:00:00 IST, record \d+: asked for by remarks: sim:ack-delay/);
});
