import type { OrderNumber } from '../base/ids.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import type { Refusal } from '../core/refusals/refusal.ts';
import type { Reply } from '../core/reply.ts';
import type { State } from '../core/state.ts';
import { asciiJson, type Kind } from './line.ts';

/** So much of a digest names a session, and cannot be taken for it. */
const SESSION_DIGITS = 16;
/** A text of a client is noted to this length. */
const LONGEST_TEXT = 128;

/**
 * What the service does by itself; of the market's moves and of sessions that go on being used no line is made, whoever
 * wants them reads the journal.
 */
const OWN: ReadonlySet<Command['type']> = new Set([
  'ReleaseOrder',
  'RepriceOrder',
  'SquareOff',
  'CheckLosses',
  'CheckBreaker',
  'ReviewBan',
  'EndDay',
  'RollDay',
  'ReviseMargins',
  'CancelKilled',
  'ExpireSessions',
]);

/** True when records of the command have a line in the trail. */
export function hasLine({ type }: Command): boolean {
  return type !== 'MoveMarket' && type !== 'TouchSession';
}

export function isOwn(command: Command): boolean {
  return OWN.has(command.type) || (command.type === 'PlaceOrder' && command.squareOff === true);
}

/** The kind of line of a command that a client's request or an operator's act brought. */
export function kindOf(command: Command): Kind {
  if (command.type === 'OpenSession') return 'Login';
  return command.type === 'CloseSession' ? 'Logout' : 'Command';
}

/** What names a session without being of use to anybody. */
export function sessionName(tokenDigest: string): string {
  return tokenDigest.slice(0, SESSION_DIGITS);
}

/** `"name":"text"` with what is before it; nothing for no text. */
export function field(name: string, text: string | undefined): string {
  return text === undefined ? '' : `,"${name}":${asciiJson(text.slice(0, LONGEST_TEXT))}`;
}

/** Whom a command is about, and in which session. */
export function subject(state: State, command: Command): string {
  if (command.type === 'RegisterUser') return field('user', command.userId);
  const { account: id, tokenDigest } = command as { readonly account?: number; readonly tokenDigest?: string };
  const account = id ?? (tokenDigest === undefined ? undefined : state.sessions.get(tokenDigest)?.account);
  const user = account === undefined ? undefined : state.accounts[account]?.userId;
  return field('user', user) + (tokenDigest === undefined ? '' : `,"session":"${sessionName(tokenDigest)}"`);
}

/** Who of the operators did it, and why. */
export function grounds(command: Command): string {
  const { by, why } = command as { readonly by?: string; readonly why?: string };
  return field('by', by) + field('why', why);
}

/** The result of a command: order, record, code, and the rule that refused or rejected it. */
export function outcome(seq: number | undefined, command: Command, reply: Reply, events: readonly Event[]): string {
  const order = 'order' in reply ? reply.order : orderOf(command);
  const rule = reply.type === 'Refused' ? reply.refusal.rule : rejectionOf(events)?.rule;
  let text = order === undefined ? '' : `,"order":${order}`;
  if (seq !== undefined) text += `,"seq":${seq}`;
  text += reply.type === 'Refused' ? ',"code":400' : ',"code":200';
  return rule === undefined ? text : `${text},"rule":"${rule}"`;
}

function orderOf(command: Command): OrderNumber | undefined {
  return 'order' in command ? command.order : undefined;
}

/** An order's number is given and its rejection recorded in one record. */
function rejectionOf(events: readonly Event[]): Refusal | undefined {
  for (let i = 0; i < events.length && i < 4; i += 1) {
    const event = events[i];
    if (event?.type === 'OrderRejected') return event.refusal;
  }
  return undefined;
}

/** The order number that the events of a record name, for a line that is made from the journal. */
export function recordedOrder(command: Command, events: readonly Event[]): OrderNumber | undefined {
  for (const event of events) if (event.type === 'OrderReceived') return event.order;
  return orderOf(command);
}

/** The rule by which an order of a record was rejected, for a line that is made from the journal. */
export function recordedRule(events: readonly Event[]): string | undefined {
  return rejectionOf(events)?.rule;
}
