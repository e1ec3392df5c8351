import type { EpochMs } from '../../base/time.ts';
import type { SetSwitch } from '../command.ts';
import type { State } from '../state.ts';
import { switchKey } from './switch.ts';
import type { SwitchSet } from './switch-events.ts';

/** Sets a switch or lifts it; nothing when it is in that position already. */
export function decideSwitch({ switches }: State, { target, on, by, why }: SetSwitch): SwitchSet[] {
  return switches.has(switchKey(target)) === on ? [] : [{ type: 'SwitchSet', target, on, by, why }];
}

/** Sets a switch, with who did it, since when and why, or lifts it. */
export function applySwitch({ switches }: State, since: EpochMs, { target, on, by, why }: SwitchSet): void {
  if (on) switches.set(switchKey(target), { target, since, by, why });
  else switches.delete(switchKey(target));
}
