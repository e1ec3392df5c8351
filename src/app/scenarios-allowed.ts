import type { HoursRegime } from '../base/market/hours-regime.ts';
import type { State } from '../core/state.ts';
import { CommandFailed, EXIT_CONFIG } from '../os/command-failed.ts';
import type { RunningParts } from './running-parts.ts';

/** True when outcomes can be asked for and the market keeps the hours of exchanges: then demo users alone trade. */
export function servesDemoUsersOnly(scenarios: 'on' | 'off', hours: HoursRegime): boolean {
  return scenarios === 'on' && hours === 'exchange';
}

/** The id of the first user who is not a demo user; `undefined` where all are. */
function firstRealUser({ accounts, demoAccounts }: State): string | undefined {
  if (demoAccounts.size === accounts.length) return undefined;
  for (const { userId, demo } of accounts) if (!demo) return userId;
  return undefined;
}

/**
 * Refuses a start with outcomes on demand in `exchange` hours while a user is real: there nobody may take a made-up
 * fill for one of the market. Source: docs/outcomes.md.
 */
export async function expectScenariosAreAllowed({ config, identity, running }: RunningParts): Promise<void> {
  if (!servesDemoUsersOnly(config.scenarios, identity.hours)) return;
  const real = await running.engine.read(firstRealUser);
  if (real === undefined) return;
  throw new CommandFailed(
    `scenarios are on, the hours are those of exchanges, and ${real} is not a demo user: ` +
      'outcomes on demand are for demo users there. Start without --scenarios, or with another data folder.',
    EXIT_CONFIG,
  );
}
