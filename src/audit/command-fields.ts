/**
 * The fields of the trail's lines that come from a command and its result: kind, user, session, order, record, code and
 * rule. It builds pieces of lines; `trail.ts` puts the lines together. It has nothing to do with the command line of
 * `sauda`.
 */

import type { AccountId, OrderNumber } from '../base/ids.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import type { Refusal } from '../core/refusals/refusal.ts';
import type { Reply } from '../core/reply.ts';
import type { OrderScenario } from '../core/scenarios/order-scenario.ts';
import type { State } from '../core/state.ts';
import { asciiJson, type Kind } from './trail-line.ts';

/** This number of digits of its digest names a session. They cannot be used as the session's token. */
const SESSION_DIGITS = 16;
/** A text from a client is cut to this length. */
const LONGEST_TEXT = 128;

/**
 * Commands that the service issues by itself. Market moves, the use of sessions and marks of the clock get no line: the
 * journal has them.
 */
const OWN: ReadonlySet<Command['type']> = new Set([
  'ReleaseOrder',
  'FireGtt',
  'RepriceOrder',
  'MeetOutcome',
  'SquareOff',
  'CheckLosses',
  'CheckBreaker',
  'ReviewBan',
  'EndDay',
  'RollDay',
  'ReviseMargins',
  'CancelKilled',
  'ExpireSessions',
  'UseScenario',
]);

/** True when records of the command have a line in the trail. */
export function hasLine({ type }: Command): boolean {
  return type !== 'MoveMarket' && type !== 'TouchSession' && type !== 'MarkClock';
}

export function isOwn(command: Command): boolean {
  return OWN.has(command.type) || (command.type === 'PlaceOrder' && command.squareOff === true);
}

/** The kind of line for a command from a client's request or an operator's act. */
export function kindOf(command: Command): Kind {
  if (command.type === 'OpenSession') return 'Login';
  return command.type === 'CloseSession' ? 'Logout' : 'Command';
}

/** The name of a session in the trail. Nobody can log in with it. */
export function sessionName(tokenDigest: string): string {
  return tokenDigest.slice(0, SESSION_DIGITS);
}

/** `"name":"text"` with a comma before it; empty without a text. */
export function field(name: string, text: string | undefined): string {
  return text === undefined ? '' : `,"${name}":${asciiJson(text.slice(0, LONGEST_TEXT))}`;
}

/**
 * The user and the session that a command is about, and its scenario. The order of a GTT is placed on behalf of its
 * user, and so is an outcome that comes later; the kill switch of an account is about its user.
 */
export function subject(state: State, command: Command): string {
  if (command.type === 'RegisterUser') return field('user', command.userId);
  const { account: id, tokenDigest } = command as { readonly account?: number; readonly tokenDigest?: string };
  const behalf = behalfOf(state, command);
  const killed =
    command.type === 'SetSwitch' && command.target.kind === 'AccountKill' ? command.target.account : undefined;
  const account =
    id ?? behalf ?? killed ?? (tokenDigest === undefined ? undefined : state.sessions.get(tokenDigest)?.account);
  const user = account === undefined ? undefined : state.accounts.at(account)?.userId;
  const session = tokenDigest === undefined ? '' : `,"session":"${sessionName(tokenDigest)}"`;
  return field('user', user) + session + scenarioOf(command);
}

function behalfOf({ gtts, orders }: State, command: Command): AccountId | undefined {
  if (command.type === 'FireGtt') return gtts.get(command.gtt)?.account;
  return command.type === 'MeetOutcome' ? orders.get(command.order)?.account : undefined;
}

/** The rule of outcomes that was used and by which operation, or the outcome of an order. */
function scenarioOf(command: Command): string {
  switch (command.type) {
    case 'UseScenario':
      return field('scenario', `rule ${command.rule}, ${command.operation}`);
    case 'MeetOutcome':
      return field('scenario', command.outcome);
    case 'PlaceOrder':
      return command.scenario === undefined ? '' : field('scenario', wordsOf(command.scenario));
    default:
      return '';
  }
}

/** The members of a scenario, without the text of a rejection: it may be anything. */
function wordsOf(scenario: OrderScenario): string {
  const words = Object.entries(scenario).map(([name, value]) => {
    return typeof value === 'number' ? `${name} ${value}` : name;
  });
  return words.join(', ');
}

/** The operator who did it, and the reason given. */
export function grounds(command: Command): string {
  const { by, why } = command as { readonly by?: string; readonly why?: string };
  return field('by', by) + field('why', why);
}

/** The result of a command: order, record, code, and the rule that refused or rejected it. */
export function outcome(seq: number | undefined, command: Command, reply: Reply, events: readonly Event[]): string {
  const own = command.type === 'FireGtt' ? recordedOrder(command, events) : orderOf(command);
  const order = 'order' in reply ? reply.order : own;
  const rule = reply.type === 'Refused' ? reply.refusal.rule : rejectionOf(events)?.rule;
  let text = order === undefined ? '' : `,"order":${order}`;
  if (seq !== undefined) text += `,"seq":${seq}`;
  text += reply.type === 'Refused' ? ',"code":400' : ',"code":200';
  return rule === undefined ? text : `${text},"rule":"${rule}"`;
}

function orderOf(command: Command): OrderNumber | undefined {
  return 'order' in command ? command.order : undefined;
}

/** An order gets its number and its rejection in one record. */
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
