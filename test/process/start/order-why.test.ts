import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { WhyReport } from '../../../src/engine/why/why-report.ts';
import { WHY_SHAPE } from '../../kit/wire/why-shape.ts';
import { assertShape } from '../../kit/wire/wire-checks.ts';
import { type Client, clientOf } from './demo-client.ts';
import { StartedService, sauda, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();

after(async () => {
  await folder.remove();
});

interface Step {
  readonly record: string;
  readonly reason: string;
  readonly checks: readonly {
    readonly check: string;
    readonly outcome: string;
    readonly figures: readonly { readonly name: string; readonly value: string }[];
  }[];
}

async function explained(client: Client, orderNumber: string): Promise<readonly Step[]> {
  const { status, body } = await client.call('getOrderWhy', { orderNumber });
  assert.equal(status, 200, JSON.stringify(body));
  assertShape(body.data, WHY_SHAPE);
  return (body.data as { readonly steps: readonly Step[] }).steps;
}

/** The figures of a report as the wire has them. */
function figuresOf(steps: WhyReport['steps']) {
  return steps.map(({ record, checks }) => ({
    record: String(record),
    checks: checks.map(({ check, outcome, figures }) => {
      return { check, outcome, figures: Object.entries(figures).map(([name, value]) => ({ name, value })) };
    }),
  }));
}

test('a client learns why orders were judged as they were, with the figures of the command, also after a crash', async () => {
  const data = folder.path;
  let service = await StartedService.start(data);
  let client = await clientOf(service);
  const { orderNumber = '' } = await client.order();
  const change = { orderNumber, priceType: 'LMT', product: 'I', quantity: '900000000', triggerPrice: '0' };
  const modified = await client.call('modifyAMO', change);
  const { rejreason = '' } = modified.body.data as Record<string, string>;
  const steps = await explained(client, orderNumber);
  assert.deepEqual(
    steps.map(({ reason }) => reason),
    ['', rejreason],
  );
  const printed = JSON.parse((await sauda(['why', orderNumber, '--json', '--data', data])).stdout) as WhyReport;
  assert.deepEqual(
    steps.map(({ record, checks }) => ({
      record,
      checks: checks.map(({ check, outcome, figures }) => ({ check, outcome, figures })),
    })),
    figuresOf(printed.steps),
  );
  const unknown = await client.call('getOrderWhy', { orderNumber: '26112099999999' });
  assert.equal(unknown.status, 400);

  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  service = await StartedService.start(data);
  client = await clientOf(service);
  assert.deepEqual(await explained(client, orderNumber), steps);

  // The service ends in its usual way while the journal is read.
  const next = await client.order();
  const asked = client.call('getOrderWhy', { orderNumber: next.orderNumber }).catch(() => undefined);
  assert.equal(await service.end('SIGTERM'), 0);
  await asked;
});
