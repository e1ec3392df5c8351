import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('times are a histogram: each count has those below it in it, and the last has all', async () => {
  const counts = [3, 0, 2, 1];
  const registry = createMetrics([
    {
      name: 'sauda_wait_seconds',
      help: 'How long it took.',
      bounds: [0.001, 0.005, 0.01],
      times: () => ({ counts, sum: 0.25 }),
    },
  ]);
  const shown = async (): Promise<string[]> => {
    return (await registry.metrics()).split('\n').filter((line) => line.includes('sauda_wait_seconds'));
  };
  const lines = [
    '# HELP sauda_wait_seconds How long it took.',
    '# TYPE sauda_wait_seconds histogram',
    'sauda_wait_seconds_bucket{le="0.001"} 3',
    'sauda_wait_seconds_bucket{le="0.005"} 3',
    'sauda_wait_seconds_bucket{le="0.01"} 5',
    'sauda_wait_seconds_bucket{le="+Inf"} 6',
    'sauda_wait_seconds_sum 0.25',
    'sauda_wait_seconds_count 6',
  ];
  assert.deepEqual(await shown(), lines);
  counts[0] = 4;
  assert.ok((await shown()).includes('sauda_wait_seconds_count 7'), 'it is asked at every scrape');
});
