import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ScenarioRow } from '../../../src/operator/operations/scenario-operations.ts';
import { type CommandResult, StartedService, sauda, temporaryFolder } from '../../process/start/started-service.ts';

const folder = temporaryFolder();
after(() => folder.remove());
const data = join(folder.path, 'data');
const ON = { SAUDA_SCENARIOS: 'on' } as const;
const WHY = ['--why', 'a drill'] as const;

function printed({ code, stdout, stderr }: CommandResult): string {
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

async function rules(service: StartedService): Promise<readonly ScenarioRow[]> {
  return JSON.parse(printed(await service.command('scenario', 'list', '--json'))) as readonly ScenarioRow[];
}

test('a service that is killed in the middle of a count goes on with what is left, and one without scenarios drops it', async () => {
  let service = await StartedService.start(data, ON);
  const entered = await service.call('demoLogin', { userId: 'SD1001' });
  const session = { userId: 'SD1001', jKey: (entered.body.data as { susertoken: string }).susertoken };
  const statuses = (count: number): Promise<readonly number[]> => {
    const limit = async (): Promise<number> => (await service.call('limit', session)).status;
    return Promise.all(Array.from({ length: count }, limit));
  };
  printed(await service.command('scenario', 'add', '429', '2', '--operation', 'limit', '--count', '6', ...WHY));
  const halt = { effect: 'halted', value: 3_600, instrument: 'NSE:ITC', by: 'asha', why: 'a drill' };
  assert.equal((await service.postToOperator('/scenarios', halt)).status, 201);
  assert.deepEqual(await statuses(4), [429, 429, 429, 429], 'requests beside each other take a use each');
  await service.end('SIGKILL');

  service = await StartedService.start(data, ON);
  assert.deepEqual(
    (await rules(service)).map(({ effect, left }) => [effect, left]),
    [
      ['429', 2],
      ['halted', 1],
    ],
  );
  const after = await statuses(5);
  assert.equal(after.filter((status) => status === 429).length, 2, 'the two uses that were left');
  assert.equal(after.filter((status) => status === 200).length, 3);
  const order = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', transactionType: 'B', quantity: '1', price: '0' };
  const terms = { priceType: 'MKT', product: 'C', retention: 'DAY', triggerPrice: '0', remarks: '' };
  const placed = await service.call('placeOrder', { ...session, ...order, ...terms });
  const { orderNumber = '' } = placed.body.data as Readonly<Record<string, string>>;
  const why = await service.call('getOrderWhy', { ...session, orderNumber });
  assert.match(JSON.stringify(why.body), /scenario rule \d+ \(halted\)/);
  await service.end('SIGTERM');

  service = await StartedService.start(data);
  assert.deepEqual(await rules(service), []);
  assert.equal((await service.postToOperator('/scenarios', { effect: '500', by: 'x', why: 'x' })).status, 409);
  assert.deepEqual(await statuses(1), [200]);
  await service.end('SIGTERM');

  const uses = printed(await sauda(['audit', 'search', '--op', 'UseScenario', '--json', '--data', data]));
  assert.equal(uses.match(/"op":"UseScenario"/g)?.length, 6);
  assert.match(uses, /"user":"SD1001","scenario":"rule \d+, limit"/);
  printed(await sauda(['verify', '--data', data]));
});
