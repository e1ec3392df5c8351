import type { Command } from '../../core/command.ts';

/** The commands that nobody sends: those of `duties.ts` and of the run of a market. */
const OF_DUTIES: ReadonlySet<Command['type']> = new Set<Command['type']>([
  'ReleaseOrder',
  'RepriceOrder',
  'MeetOutcome',
  'FireGtt',
  'MoveMarket',
  'SquareOff',
  'CheckLosses',
  'CheckBreaker',
  'EndDay',
  'RollDay',
  'ReviseMargins',
  'ReviewBan',
  'CancelKilled',
  'MarkClock',
  'ExpireSessions',
]);

/** True for a command that time brought and nobody asked for, the orders of the risk desk among them. */
export function isDuty(command: Command): boolean {
  return command.type === 'PlaceOrder' ? command.squareOff === true : OF_DUTIES.has(command.type);
}
