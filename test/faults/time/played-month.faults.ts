/**
 * A month of real one-minute candles from the file to the client: it is imported, a service is started on its last day,
 * and `timePriceSeries` answers the candles of the file.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MONTH_ZIP, monthRows } from '../../kit/tapes/month.ts';
import { StartedService, sauda, temporaryFolder } from '../../process/start/started-service.ts';

interface Bar {
  readonly time: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const folder = temporaryFolder();
after(() => folder.remove());

test('the candles of an imported month come out of timePriceSeries as they stand in their file', async () => {
  const data = join(folder.path, 'data');
  const imported = await sauda(['tape', 'import', MONTH_ZIP, '--data', data]);
  assert.equal(imported.code, 0, imported.stderr);
  const settings = {
    SAUDA_HOURS: 'exchange',
    SAUDA_MARKET: 'tape',
    SAUDA_CLOCK: '2026-01-30T16:30:00',
    SAUDA_SPEED: '0',
  };
  const service = await StartedService.start(data, settings);
  const { body: login } = await service.call('demoLogin', { userId: 'SD1001' });
  const { susertoken: jKey } = login.data as Record<string, string>;
  const { status, body } = await service.call('timePriceSeries', {
    userId: 'SD1001',
    jKey,
    exchange: 'NSE',
    tradingSymbol: 'RELIANCE-EQ',
    startTime: '09:15:00 01-01-2026',
    endTime: '15:30:00 30-01-2026',
    interval: '1mi',
  });
  assert.equal(status, 200, JSON.stringify(body).slice(0, 300));
  const bars = (body.data as Bar[]).map(({ time, open, high, low, close, volume }) => ({
    time,
    open,
    high,
    low,
    close,
    volume,
  }));
  const expected = monthRows().map(({ date, time, open, high, low, close, volume }) => {
    const [first, highest, lowest, last] = [open, high, low, close].map(Number);
    return { time: `${date}T${time}`, open: first, high: highest, low: lowest, close: last, volume: Number(volume) };
  });
  assert.deepEqual(bars, expected);
});
