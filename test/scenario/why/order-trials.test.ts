import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { AccountId, OrderNumber } from '../../../src/base/ids.ts';
import { paise, price, quantity } from '../../../src/base/money.ts';
import { type EpochMs, istInstant, type WallMs, wallOf } from '../../../src/base/time.ts';
import { ORDER_CHECKS } from '../../../src/core/broker/orders/admission.ts';
import type { OrderTrial } from '../../../src/core/broker/trials/order-trial.ts';
import type { Command } from '../../../src/core/command.ts';
import type { Ports } from '../../../src/core/ports.ts';
import { type RunningEngine, startEngine } from '../../../src/engine/start-engine.ts';
import { orderTrials } from '../../../src/engine/why/order-trials.ts';
import { whyReport } from '../../../src/engine/why/why-report.ts';
import { whyText } from '../../../src/operator/cli/reports/why-report.ts';
import { FIRST_DAY, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { placement } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { unasked } from '../../kit/unasked.ts';

const folder = mkdtempSync(join(tmpdir(), 'sauda-why-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const market = new StillMarket();
market.quotes.set(RELIANCE.id, { bid: 999_00, ask: 1_001_00, last: 1_000_00, close: 1_000_00 });
let ports: Ports = testPorts({ market });
let now = istInstant(FIRST_DAY, 36_000_000);
const wall = (): WallMs => wallOf(now);

function run(): Promise<RunningEngine> {
  return startEngine(
    { folder, snapshotRecords: 1_000_000, snapshotMinutes: 60 },
    {
      ports,
      wall,
      failStop: (error) => {
        throw error;
      },
      log: () => undefined,
    },
  );
}

async function done({ engine }: RunningEngine, command: Command) {
  now = (now + 1_000) as EpochMs;
  return engine.submit(unasked(command));
}

async function place(running: RunningEngine, units: number, at: number): Promise<OrderNumber> {
  const command = placement({ by: 0 as AccountId, of: RELIANCE.id, side: 'B', units, at, product: 'C' });
  const reply = await done(running, command);
  assert.ok(reply.type === 'OrderPlaced');
  return reply.order;
}

function modification(order: OrderNumber, units: number): Command {
  const terms = {
    priceType: 'LMT',
    retention: 'DAY',
    quantity: quantity(units),
    price: price(900_00),
    trigger: price(0),
  } as const;
  return { type: 'ModifyOrder', account: 0 as AccountId, order, terms };
}

function figuresOf({ findings }: OrderTrial, name: string): Record<string, unknown> {
  const finding = findings.find((one) => one.name === name);
  assert.ok(finding, name);
  return Object.fromEntries(finding.figures.map((figure) => [figure.name, figure.value]));
}

function outcomeOf({ findings }: OrderTrial, name: string): string | undefined {
  return findings.find((one) => one.name === name)?.outcome;
}

const trialsOf = (order: OrderNumber) => orderTrials(folder, order, () => ports)?.trials ?? [];

test('an order is explained from the journal: every check with its figures, for its placement and each modification', async () => {
  const running = await run();
  await done(running, {
    type: 'RegisterUser',
    userId: 'AB1234',
    name: 'A',
    email: 'a@example.com',
    sealedCredentials: '-',
    usesTotp: false,
    demo: false,
  });
  await done(running, { type: 'DepositCash', account: 0 as AccountId, amount: paise(1_000_000_00), opening: true });
  const first = await place(running, 1_000, 900_00);
  await done(running, modification(first, 2_000));
  await done(running, modification(first, 500));
  const refused = await place(running, 1_000, 900_00);
  await done(running, { type: 'CancelOrder', account: 0 as AccountId, order: first });
  await done(running, modification(first, 400));

  const margin = 'the margin is there';
  const whileItRuns = trialsOf(first);
  assert.deepEqual(
    whileItRuns.map((trial) => [trial.step, trial.refusal?.rule, outcomeOf(trial, margin)]),
    [
      ['placement', undefined, 'passed'],
      ['modification', 'MarginShortfall', 'refused'],
      ['modification', undefined, 'passed'],
      ['modification', 'NotOpenToModify', undefined],
    ],
  );
  const [placed, raised, lowered] = whileItRuns as [OrderTrial, OrderTrial, OrderTrial];
  assert.deepEqual(
    placed.findings.map(({ name }) => name),
    ORDER_CHECKS.map(({ name }) => name),
  );
  const needed = (trial: OrderTrial) => {
    const { 'margin used': used, available, required } = figuresOf(trial, margin);
    return [used, available, required];
  };
  assert.deepEqual(needed(placed), [0, 1_000_000_00, 900_000_00]);
  assert.deepEqual(needed(raised), [900_000_00, 100_000_00, 900_000_00]);
  assert.deepEqual(needed(lowered), [900_000_00, 100_000_00, -450_000_00]);
  assert.deepEqual(needed((trialsOf(refused) as [OrderTrial])[0]), [450_000_00, 550_000_00, 900_000_00]);

  await running.stop();
  assert.deepEqual(trialsOf(first), whileItRuns, 'a stopped service answers the same');
  assert.equal(
    orderTrials(folder, 1 as OrderNumber, () => ports),
    undefined,
  );
});

test('a snapshot shortens the way to a later order and changes nothing of the report', async () => {
  const running = await run();
  const later = await place(running, 5_000, 900_00);
  await running.stop();
  assert.ok(readdirSync(join(folder, 'snapshots')).length > 0);
  const told = trialsOf(later);
  assert.equal(told[0]?.refusal?.rule, 'MarginShortfall');
  rmSync(join(folder, 'snapshots'), { recursive: true });
  assert.deepEqual(trialsOf(later), told);
});

test('the report names the check that refused and gives the reason in the words of the wire', async () => {
  const running = await run();
  const order = await place(running, 1_000, 900_03);
  await running.stop();
  const report = whyReport(orderTrials(folder, order, () => ports) ?? assert.fail('no trials'), () => RELIANCE);
  assert.ok(report);
  const [step] = report.steps;
  assert.ok(step);
  assert.deepEqual([step.outcome, step.reason], ['refused', '16283:The order price is not multiple of the tick size.']);
  const asked = step.checks.filter(({ outcome }) => outcome !== 'unasked');
  assert.deepEqual(asked.at(-1), {
    check: 'the price is on the tick',
    rule: 'R1.19',
    outcome: 'refused',
    figures: { price: '900.03', tick: '0.05' },
  });
  const text = whyText(report);
  assert.match(text, new RegExp(`^order ${order}: AB1234 buys RELIANCE-EQ on NSE, product C\n`));
  assert.match(text, /^ {2}REFUSED {2}the price is on the tick \(R1\.19\): price 900\.03, tick 0\.05$/m);
  assert.match(text, /^ {2}- {8}the margin is there \(R4\.27\)$/m);
  assert.match(text, /^ {2}=> 16283:/m);
});

test('a crossed trigger is reported as it was judged, whatever the setting is by now', async () => {
  const running = async (strictTrigger: boolean) => {
    ports = { ...ports, strictTrigger };
    const service = await run();
    const words = { by: 0 as AccountId, of: RELIANCE.id, side: 'B', units: 1, product: 'C' } as const;
    const reply = await done(service, placement({ ...words, type: 'SL-LMT', at: 905_00, trigger: 900_00 }));
    await service.stop();
    return reply.type === 'OrderPlaced' ? reply.order : assert.fail(reply.type);
  };
  const [refused, fired] = [await running(true), await running(false)];
  for (const strictTrigger of [false, true]) {
    ports = { ...ports, strictTrigger };
    const told = [refused, fired].map((order) => {
      const [trial] = trialsOf(order);
      return [trial?.refusal?.rule, trial && outcomeOf(trial, 'the trigger is not crossed yet')];
    });
    assert.deepEqual(told, [
      ['TriggerAlreadyCrossed', 'refused'],
      [undefined, 'passed'],
    ]);
  }
});
