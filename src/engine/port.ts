import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { DecisionPorts } from '../core/ports.ts';
import type { Reply } from '../core/reply.ts';
import type { State } from '../core/state.ts';
import type { Views } from '../views/views.ts';

/** Thrown by `submit` when nothing was done and nothing will be: the service is draining or its inbox is full. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** What the gateway and the operator's side know of the engine. */
export interface EnginePort {
  /**
   * The present instant of the market: the one that a command taken now is stamped with. So quotes, candles and
   * `requestTime` are of the same instant as orders, also while the clock stands behind the last stamp. The only
   * market time of the gateway and of operators.
   */
  now(): EpochMs;
  /**
   * Decides and applies a command and resolves with its reply when the record is durable. A command that changed nothing
   * is not recorded; its reply still waits for what it saw to be durable.
   * Rejects with `Unavailable` before anything was done. Source: reliability P1, P3, P10.
   */
  submit(command: Command): Promise<Reply>;
  /**
   * Runs `query` now, synchronously, and gives its value when everything that it may have seen is durable: at once
   * when nothing is in flight, else with the running group. It is handed the ports that a decision would have at this moment. The query must not
   * keep or change what it is shown.
   */
  read<T>(query: (state: State, views: Views, ports: DecisionPorts) => T): T | Promise<T>;
  /**
   * What a query sees now, though it may not be durable yet: for making a command, which becomes durable after what it was made
   * from, for counting, and for knowing a session, whose token is given out when it is durable; never for an answer.
   */
  glance<T>(query: (state: State, ports: DecisionPorts) => T): T;
}
