import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { LogReport } from '../../src/cluster/lanes/nats/log-report.ts';
import { LogWatch } from '../../src/cluster/leading/log-watch.ts';

const MINUTE_MS = 60_000;
const SOON_MS = 5_000;

/** A watch over a log whose faults and servers that are away a test sets. */
function watched() {
  const log = { faults: [] as string[], away: [] as string[], isSilent: false };
  const notes: string[] = [];
  let next: { readonly ms: number; readonly work: () => void } | undefined;
  const watch = new LogWatch({
    time: {
      after: (ms, work) => {
        next = { ms, work };
        return () => undefined;
      },
    },
    report: async () => {
      if (log.isSilent) throw new Error('no answer');
      const servers = ['n1', 'n2', 'n3'].map((name) => ({
        server: { name },
        ...(!log.away.includes(name) && { found: {} }),
      }));
      return { servers } as unknown as LogReport;
    },
    judge: () => ({ faults: [...log.faults] }),
    note: (gravity, words) => notes.push(`${gravity}: ${words}`),
  });
  watch.start();
  /** Looks once, and gives the wait until the next look. */
  const look = async (): Promise<number | undefined> => {
    next?.work();
    await setImmediate();
    return next?.ms;
  };
  return { log, notes, watch, look };
}

describe("a leader's watch over the log", () => {
  it('looks once a minute, and says nothing of a sound log', async () => {
    const { look, notes, watch } = watched();
    assert.deepEqual([await look(), await look()], [MINUTE_MS, MINUTE_MS]);
    assert.deepEqual([notes, watch.faults], [[], []]);
  });

  it('reports a fault that two looks find, once, and its end', async () => {
    const { log, look, notes, watch } = watched();
    log.faults = ['log server n1: sync_interval is not always'];
    assert.equal(await look(), SOON_MS);
    assert.deepEqual([notes, watch.faults], [[], []]);
    assert.equal(await look(), MINUTE_MS);
    await look();
    assert.deepEqual(notes, ['error: log server n1: sync_interval is not always']);
    assert.deepEqual(watch.faults, log.faults);
    log.faults = [];
    assert.equal(await look(), MINUTE_MS);
    assert.deepEqual([notes.slice(1), watch.faults], [['info: the log is sound again'], []]);
  });

  it('looks soon after a server comes back, and finds how it is not as it must be', async () => {
    const { log, look, notes } = watched();
    log.away = ['n2'];
    assert.deepEqual([await look(), await look()], [SOON_MS, SOON_MS]);
    assert.deepEqual(notes, ['warn: log server n2 is away: it is checked when it is back']);
    log.away = [];
    log.faults = ['log server n2: version 2.12.0 is below 2.14'];
    await look();
    await look();
    assert.deepEqual(notes.slice(1), ['error: log server n2: version 2.12.0 is below 2.14']);
  });

  it('goes on when the log gives no answer', async () => {
    const { log, look, notes } = watched();
    log.isSilent = true;
    assert.equal(await look(), SOON_MS);
    log.isSilent = false;
    assert.equal(await look(), MINUTE_MS);
    assert.deepEqual(notes, []);
  });
});
