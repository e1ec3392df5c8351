/**
 * The market clock at a start: the work of `--clock` and `--speed` on the clock of a data folder, and the dates that
 * they take. The engine records the command that is made here.
 */
import { type EpochMs, formatIsoDay, formatIstMoment, type Instant, istDay, type WallMs } from '../base/time.ts';
import { type Config, SETTINGS } from '../config.ts';
import { speedOf } from '../core/clock/set-clock.ts';
import type { SetClock } from '../core/command.ts';
import type { State } from '../core/state.ts';
import { FIRST_DAY, LAST_DAY } from '../market/synthetic/paths/span-of-days.ts';
import { paceOf } from '../operator/operations/clock-operations.ts';
import { CommandFailed, EXIT_CONFIG } from '../os/command-failed.ts';

type ClockSettings = Pick<Config, 'clock' | 'speed' | 'data'>;

const HISTORY = `${formatIsoDay(FIRST_DAY)} to ${formatIsoDay(LAST_DAY)}`;

/**
 * The time of a journal never goes back, and it is led through every day: it must not begin at the beginning of all
 * clocks. Refuses a date of `--clock` that the market does not have and, for a new data folder without one, such a
 * date of the machine. Source: reliability F14.
 */
export function expectDateOfMarket({ clock }: ClockSettings, wall: WallMs, isNewFolder: boolean): void {
  if (clock !== 'kept' && !isInHistory(clock)) {
    throw new CommandFailed(
      `${SETTINGS.clock.flag} is ${formatIstMoment(clock)}: the market is there from ${HISTORY}`,
      EXIT_CONFIG,
    );
  }
  if (clock !== 'kept' || !isNewFolder || isInHistory(wall)) return;
  throw new CommandFailed(
    `the clock of this machine says ${formatIsoDay(istDay(wall))}, and the market is there from ${HISTORY}: ` +
      `set the clock first, or give ${SETTINGS.clock.flag}`,
    EXIT_CONFIG,
  );
}

function isInHistory(at: Instant): boolean {
  const day = istDay(at);
  return day >= FIRST_DAY && day <= LAST_DAY;
}

/**
 * The command that brings the clock to the settings; nothing where it has them already. A market that stands later than
 * `--clock` goes on from there if an earlier start has brought it to that same instant, as a service that is started
 * again has the same settings; else it is refused. A step that goes on is finished first: the market then stands. A
 * jump ends it, and the market stands there.
 */
export function clockCommand(
  { clock, speed, data }: ClockSettings,
  { state, now, wall }: { readonly state: Pick<State, 'clock' | 'at'>; readonly now: EpochMs; readonly wall: WallMs },
): SetClock | undefined {
  const isRepeated = state.clock?.asked === clock;
  const jumps = clock !== 'kept' && (state.at === 0 || clock > now || (clock === now && !isRepeated));
  if (clock !== 'kept' && !jumps && !isRepeated) throw goesBack(clock, now, data);
  const isInStep = state.clock?.until !== undefined;
  const kept = isInStep ? 0 : speedOf(state);
  const pace = speed === 'kept' ? kept : speed;
  if (!jumps && (isInStep || pace === speedOf(state))) return undefined;
  return {
    type: 'SetClock',
    speed: pace,
    market: jumps ? clock : now,
    ...(clock !== 'kept' && { asked: clock }),
    by: 'start',
    why: reasonOf(jumps ? clock : 'kept', speed),
    wall,
  };
}

/** The clock in the report of a start; nothing while the market follows the wall. */
export function clockText({ clock }: ClockSettings, state: Pick<State, 'clock'>, now: EpochMs): string | undefined {
  if (state.clock === undefined) return undefined;
  const isBeyond = clock !== 'kept' && clock < now;
  const from = isBeyond ? `, on from where it stood: ${SETTINGS.clock.flag} is ${formatIstMoment(clock)}` : '';
  return `${formatIstMoment(now)} IST, ${paceOf(state.clock.speed)}${from}`;
}

function reasonOf(clock: Config['clock'], speed: Config['speed']): string {
  const given = [
    ...(clock === 'kept' ? [] : [`${SETTINGS.clock.flag} ${formatIstMoment(clock)}`]),
    ...(speed === 'kept' ? [] : [`${SETTINGS.speed.flag} ${speed}`]),
  ];
  return `started with ${given.join(' and ')}`;
}

function goesBack(clock: EpochMs, now: EpochMs, data: string): CommandFailed {
  return new CommandFailed(
    `${SETTINGS.clock.flag} is ${formatIstMoment(clock)}, and the market of ${data} stands at ${formatIstMoment(now)}: ` +
      'a market never goes back. Leave the setting out to go on from there, or use another data folder.',
    EXIT_CONFIG,
  );
}
