import type { WallMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { WallStamped } from '../core/wall-stamp.ts';

/** The commands that need the wall's instant: those that guard the door, and those that set the market's clock. */
type DoorCommand = Extract<Command, WallStamped & { readonly type: DoorType }>;
type DoorType =
  | 'RegisterUser'
  | 'SetAddresses'
  | 'RenewApiKey'
  | 'OpenSession'
  | 'TouchSession'
  | 'ExpireSessions'
  | 'SetClock'
  | 'BeginBranch';

const AT_THE_DOOR: Readonly<Record<DoorType, true>> = {
  RegisterUser: true,
  SetAddresses: true,
  RenewApiKey: true,
  OpenSession: true,
  TouchSession: true,
  ExpireSessions: true,
  SetClock: true,
  BeginBranch: true,
};

/**
 * The command with the wall's instant, if it guards the door and the market's clock differs from the wall's: a replay
 * has no clock to ask.
 */
export function wallStamped(command: Command, wall: WallMs | undefined): Command {
  return wall !== undefined && isAtTheDoor(command) ? { ...command, wall } : command;
}

function isAtTheDoor(command: Command): command is DoorCommand {
  return Object.hasOwn(AT_THE_DOOR, command.type);
}
