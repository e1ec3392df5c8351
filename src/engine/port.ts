/**
 * The engine's interface: the commands and queries that the gateway and the operator's side may use, and the origin of
 * a command. The engine itself is in `engine.ts`.
 */

import type { AccountId } from '../base/ids.ts';
import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { DecisionPorts } from '../core/ports.ts';
import type { Reply } from '../core/reply.ts';
import type { State } from '../core/state.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { Views } from '../views/views.ts';

/** Thrown by `submit` when nothing was done and nothing will be: the service is draining or its inbox is full. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Thrown by `submit` for a kill switch that is set, but whose cancellations are left to the next process. */
export class LeftToNextStart extends Unavailable {
  constructor() {
    super('the service is shutting down: the switch is set, and the next start goes on with its cancellations');
  }
}

/**
 * The origin of a command: who asked, and from where. It goes with the command to the subscribers of the feed and is
 * not part of the record. It holds no secret: the key of a login is named by digits of its digest.
 */
export type Origin =
  | {
      readonly type: 'Client';
      /** The operation: `placeOrder`. */
      readonly op: string;
      readonly address: string;
      readonly account: AccountId;
      readonly tokenDigest: string;
    }
  | { readonly type: 'Login'; readonly address: string; readonly vendorCode: string; readonly keyName: string }
  /** A demo user who logged in without credentials. */
  | { readonly type: 'DemoLogin'; readonly address: string }
  | { readonly type: 'Operator' }
  | { readonly type: 'Service' };

/** The origin of operators' commands. */
export const OPERATOR: Origin = { type: 'Operator' };
/** The origin of the service's own commands. */
export const SERVICE: Origin = { type: 'Service' };

/** A command and its origin. */
export interface Submission {
  readonly command: Command;
  readonly origin: Origin;
  /**
   * Called when the command has its turn, with the state, the ports and the instant of its record: the result, of the
   * same type, is decided in place of `command`. `undefined`: nothing is decided, and the reply is `Done`. It must not
   * throw, change its arguments or ask a clock, as a market that runs would go on meanwhile.
   */
  readonly made?: (state: State, ports: DecisionPorts, at: EpochMs) => Command | undefined;
  /**
   * Called with a reply that could leave and for which no record was made: nothing shows that no other member of a
   * cluster has made one meanwhile. Its result is the reply. The reply leaves as it is when absent.
   */
  readonly unrecorded?: (reply: Reply) => Reply | Promise<Reply>;
}

/** The engine as the gateway and the operator's side see it. */
export interface EnginePort {
  /**
   * The present instant of the market: the one that a command taken now is stamped with. So quotes, candles and
   * `requestTime` are of the same instant as orders, also while the clock stands behind the last stamp. The only
   * market time of the gateway and of operators.
   */
  now(): EpochMs;
  /**
   * Decides and applies a command and resolves with its reply when the record is durable. A command that changed
   * nothing is not recorded; its reply still waits until every record before it is durable. Rejects with `Unavailable`
   * before anything was done. Source: reliability P1, P3, P10.
   */
  submit(submission: Submission): Promise<Reply>;
  /**
   * Runs `query` now, synchronously, and gives its value when every record that it may depend on is durable: at once
   * when nothing is in flight, else with the running group. The query gets the ports that a decision would have at this
   * moment. It must not keep or change its arguments. With `concerns` it waits only while a record in flight is one for
   * which that is true: the caller answers for the others, that its value shows nothing of them.
   */
  read<T>(
    query: (state: State, views: Views, ports: DecisionPorts) => T,
    concerns?: (record: JournalRecord) => boolean,
  ): T | Promise<T>;
  /**
   * Runs `query` on the present state, which may not be durable yet. Only for making a command, which becomes durable
   * after the state that it was made from; for counting; for finding a session, whose token is given out when it is
   * durable; and for finding the account of an order in a durable record. Never for an answer.
   */
  glance<T>(query: (state: State, ports: DecisionPorts, views: Views) => T): T;
}
