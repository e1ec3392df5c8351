import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BenchRow } from '../rows.ts';

/*
 * B23 and B24: the longest turn of the event loop while seconds pass with many books, and while a large day is filled
 * and turned, each in processes of its own. The scripts say more when they are run by hand.
 */

/** The last line of `bench/seconds.ts`. Turns are measured by the main thread's time on a processor. */
export interface SecondsFigures {
  readonly instruments: number;
  readonly seconds: number;
  readonly turns: number;
  /** Those above 20 ms. */
  readonly turnsAbove: number;
  readonly longestTurnMs: number;
  readonly longestPauseMs: number;
  /** Moves of a book that did not follow the one before. */
  readonly outOfOrder: number;
  readonly leftOut: number;
  readonly processorPercent: number;
}

/** The lines that a script prints, without those of its progress. */
function linesOf(script: string, args: readonly string[]): string[] {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [...process.execArgv, path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${script} ended with code ${status}`);
  return stdout.trimEnd().split('\n');
}

/** B23. */
export function secondsRow(instruments = 20_000, seconds = 60): BenchRow {
  const lines = linesOf('../seconds.ts', ['--instruments', `${instruments}`, '--seconds', `${seconds}`]);
  const found = JSON.parse(lines.at(-1) ?? '') as SecondsFigures;
  return {
    id: 'B23',
    what: `turns of the loop above 20 ms of CPU, ${found.instruments} books, ${found.seconds} s`,
    ours: `${found.turnsAbove} of ${found.turns}, longest ${found.longestTurnMs} ms`,
    reference: `ticks out of order: ${found.outOfOrder}`,
    ratio: 'none',
    spread: 'one run',
    goal: 'none of both',
    reached: found.turnsAbove === 0 && found.outOfOrder === 0,
  };
}

/** The part of a day, and its figures. */
type DayFigures = ReadonlyMap<string, Readonly<Record<string, number>>>;

function dayOf(accounts: number, orders: number): DayFigures {
  const lines = linesOf('day-of-many.ts', ['--accounts', `${accounts}`, '--orders', `${orders}`]);
  return new Map(
    lines.map((line) => {
      const place = line.indexOf('{');
      return [line.slice(0, place).trim(), JSON.parse(line.slice(place))] as const;
    }),
  );
}

/** B24. */
export function dayOfManyRows(accounts = 50_000, orders = 150_000): BenchRow[] {
  const day = dayOf(accounts, orders);
  return (
    [
      ['opened', 'accounts are opened'],
      ['filled', 'the day trades'],
      ['day turned', 'the day turns'],
    ] as const
  ).map(([part, what]) => {
    const found = day.get(part) ?? {};
    return {
      id: 'B24',
      what: `longest turn, ${accounts} accounts, ${orders} orders: ${what}`,
      ours: `${found.longestTurnCpuMs} ms of CPU`,
      reference: `collector's pause: ${found.longestPauseMs} ms`,
      ratio: 'none',
      spread: `${found.turnsAboveGoal} above 20`,
      goal: 'at most 20 ms',
      reached: (found.longestTurnCpuMs ?? Number.POSITIVE_INFINITY) <= 20,
    };
  });
}
