/**
 * A start with `--clock` and `--speed`: everything of a new folder is of that market day, a later start jumps forward
 * or goes on, and a market never goes back.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StartedService, sauda, temporaryFolder } from '../start/started-service.ts';

const folder = temporaryFolder();
after(() => folder.remove());
const data = join(folder.path, 'data');

/** Asks operations as the first demo user. */
async function entered(service: StartedService) {
  const { body } = await service.call('demoLogin', { userId: 'SD1001' });
  const { susertoken: jKey } = body.data as Record<string, string>;
  return async <T>(path: string, more: object = {}): Promise<T> => {
    const answer = await service.call(path, { userId: 'SD1001', jKey, ...more });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data as T;
  };
}

test('a service starts at an instant and a speed, jumps forward at a later start, and never back', async () => {
  const first = { SAUDA_HOURS: 'exchange', SAUDA_CLOCK: '2026-11-20T09:07:30', SAUDA_SPEED: '0' };
  let service = await StartedService.start(data, first);
  assert.match(service.output, /^ {2}clock +2026-11-20 09:07:30 IST, stands still$/m);
  let ask = await entered(service);
  const status = await ask<{ marketTime: string; speed: string; exchanges: { phase: string }[] }>('getMarketStatus');
  assert.deepEqual([status.marketTime, status.speed], ['09:07:30 20-11-2026', '0']);
  const { expiryDates } = await ask<{ expiryDates: string[] }>('getExpiry', {
    exchange: 'NSE',
    tradingSymbol: 'NIFTY',
  });
  assert.equal(expiryDates[0], '23NOV2026', 'contracts are those of the day, the Tuesday being a holiday');
  const limits = await ask<{ cash: string; requestTime: string }>('limit');
  assert.deepEqual([limits.cash, limits.requestTime], ['1000000.00', '09:07:30 20-11-2026']);
  assert.equal(await service.end('SIGTERM'), 0);

  const back = ['start', '--port', '0', '--operator-port', '0', '--data', data, '--clock', '2026-11-20T09:00:00'];
  const refused = await sauda(back);
  assert.equal(refused.code, 78, refused.stdout);
  assert.match(refused.stderr, /stands at 2026-11-20 09:07:30: a market never goes back/);

  service = await StartedService.start(data, { SAUDA_CLOCK: '2026-11-24T08:00:00', SAUDA_SPEED: '60' });
  assert.match(service.output, /^ {2}clock +2026-11-24 08:00:00 IST, runs at x60$/m);
  ask = await entered(service);
  const { expiryDates: next } = await ask<{ expiryDates: string[] }>('getExpiry', {
    exchange: 'NSE',
    tradingSymbol: 'NIFTY',
  });
  assert.equal(next[0], '01DEC2026', 'the days between have passed');
});
