/**
 * Commands of the market clock: `sauda clock show | run [xN] | pause | step <length> | to <instant>`.
 * The running service keeps the clock; these commands ask it.
 */
import type { Command } from 'commander';
import { type ClockSpeed, FASTEST, parseSpeed, SLOWEST } from '../../base/time.ts';
import { type ClockReport, paceOf } from '../operations/clock-operations.ts';
import { type OperatorCommandParts, withGrounds } from './command-parts.ts';

type Flags = Readonly<Record<string, string>>;

/** Adds the commands of the market clock. */
export function addClockCommands(program: Command, parts: OperatorCommandParts): void {
  const clock = program.command('clock').description('the time of the market, and how fast it passes');
  const show = clock.command('show').description('print the time of the market').option('--json', 'as JSON');
  parts.withService(show).action(async (flags: Flags & { json?: true }) => {
    const report = (await parts.ask(flags, '/clock')) as ClockReport;
    parts.print(flags.json ? JSON.stringify(report) : reportText(report));
  });
  const set = async (flags: Flags, speed: ClockSpeed): Promise<void> => {
    const { by = parts.by, why } = flags;
    const report = (await parts.act(flags, '/clock', { speed, by, why })) as ClockReport;
    parts.print(`the market ${paceOf(report.speed)}; it is ${report.market}`);
  };
  const run = clock
    .command('run [speed]')
    .description(`let market time pass, x${SLOWEST} to x${FASTEST}, or max; x1 by default`);
  withGrounds(run, parts).action((speed: string | undefined, flags: Flags) => set(flags, speedTyped(run, speed)));
  const pause = clock.command('pause').description('let market time stand still');
  withGrounds(pause, parts).action((flags: Flags) => set(flags, 0));
  addSteps(clock, parts);
}

function addSteps(clock: Command, parts: OperatorCommandParts): void {
  const act = async (path: string, wish: object, flags: Flags): Promise<void> => {
    const { by = parts.by, why } = flags;
    const report = (await parts.act(flags, path, { ...wish, by, why })) as ClockReport;
    parts.print(`the market ${paceOf(report.speed)}; it is ${report.market}`);
  };
  const step = clock
    .command('step <length>')
    .description('let exactly that much market time pass, then pause: 90s, 5m, 1h30m, boundary or event')
    .option('--user <userId>', 'whose next event an event is');
  withGrounds(step, parts).action((length: string, flags: Flags) => {
    const { user } = flags;
    if (length === 'event' && user === undefined) step.error('error: name the user whose next event it is with --user');
    return act('/clock/step', { for: length, ...(user !== undefined && { user }) }, flags);
  });
  const to = clock
    .command('to <instant...>')
    .description(
      'let market time pass up to an instant, then pause: 15:14:59, 2026-11-24T15:14:59, open, close, expiry of NIFTY',
    );
  withGrounds(to, parts).action((words: string[], flags: Flags) => act('/clock/to', { at: words.join(' ') }, flags));
}

/** The speed of `x60`, `60` or `x0.5`. */
function speedTyped(command: Command, text = 'x1'): ClockSpeed {
  const speed = parseSpeed(text);
  if (speed !== undefined && speed !== 0) return speed;
  return command.error(`error: ${JSON.stringify(text)} is not a speed: write x${SLOWEST} to x${FASTEST}, or max`);
}

function reportText({ market, wall, speed, until, set, lostSeconds, phases, boundaries }: ClockReport): string {
  return [
    `market    ${market} IST, ${until === undefined ? paceOf(speed) : `in a step to ${until}`}`,
    `wall      ${wall} IST`,
    set === undefined
      ? 'clock     follows the wall'
      : `clock     set at ${set.at} by ${set.by}: ${set.why}; it was ${set.market} in the market`,
    ...(lostSeconds > 0 ? [`behind    ${lostSeconds} s of the market, as the work of its seconds took longer`] : []),
    ...phases.map(({ exchange, phase, next }) => {
      return `${exchange.padEnd(9)} ${phase}${next === undefined ? '' : `, ${next.phase} at ${next.at}`}`;
    }),
    ...boundaries.map(
      ({ exchange, what, at }) => `next      ${at} ${what}${exchange === undefined ? '' : ` of ${exchange}`}`,
    ),
  ].join('\n');
}
