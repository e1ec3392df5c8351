/**
 * The rules of operators that requests meet at the door: a failure instead of an answer, a delay, a connection that is
 * cut. Source: docs/outcomes.md.
 */

import type { AccountId } from '../../base/ids.ts';
import type { ScenarioRule } from '../../core/scenarios/rules/scenario-rule.ts';
import type { Answer } from '../answer.ts';
import type { GatewayParts } from '../deps.ts';
import {
  decided,
  type Failure,
  INTERNAL_ERROR,
  INVALID_CREDENTIALS,
  JKEY_INVALID,
  tooMany,
  UNAVAILABLE,
} from '../fields/envelope.ts';
import type { Picked } from '../fields/request.ts';
import { MACHINE_CLOCK } from '../sockets/socket-clock.ts';
import type { Client } from '../turns.ts';
import { namesInstrument } from './named-instruments.ts';
import { RuleUses } from './rule-uses.ts';

/** A request that came to an operation. */
export interface RuledRequest {
  readonly picked: Picked;
  readonly operation: string;
  /** Of its session; that of the user whom a login names. */
  readonly account: AccountId | undefined;
  readonly tokenDigest?: string;
  readonly client: Client;
  /** The connection is to be cut instead of an answer. */
  lose(): void;
  /** Carries the request out. */
  run(): Answer | Promise<Answer>;
}

export class RequestRules {
  private readonly parts: GatewayParts;
  private readonly uses: RuleUses;

  constructor(parts: GatewayParts) {
    this.parts = parts;
    this.uses = new RuleUses(parts.engine);
  }

  /** Answers a request as a rule wants it; carries it out where no rule concerns it. */
  answer(request: RuledRequest): Answer | Promise<Answer> {
    const { picked, operation, account, tokenDigest } = request;
    const met = this.uses.meet(
      {
        account,
        operation,
        ...(tokenDigest !== undefined && { tokenDigest }),
        names: (instrument) => namesInstrument(this.parts, picked, instrument),
      },
      'request',
    );
    return met === undefined ? request.run() : met.then((rule) => this.answerUnder(rule, request));
  }

  private async answerUnder(rule: ScenarioRule | undefined, request: RuledRequest): Promise<Answer> {
    const failure = rule && failureOf(rule);
    if (rule?.effect === 'cut-before' || rule?.effect === 'cut-after') request.lose();
    if (failure !== undefined) return failure;
    // Only the connection waits: the turn of its client is over.
    if (rule?.effect === 'slow') await this.pass(rule.value);
    return this.parts.turns.run(request.client, () => request.run());
  }

  private pass(ms: number): Promise<void> {
    const { socketClock = MACHINE_CLOCK } = this.parts;
    return new Promise((resolve) => {
      socketClock.after(ms, resolve);
    });
  }
}

/** The failure that a request gets without being carried out. One whose connection is cut is never sent it. */
function failureOf({ effect, value }: ScenarioRule): Failure | undefined {
  switch (effect) {
    case '429':
      return tooMany(value);
    case '500':
      return INTERNAL_ERROR;
    case 'cut-before':
      // The use of the rule is its line in the audit trail.
      return decided(INTERNAL_ERROR);
    case '503':
      return { ...UNAVAILABLE, retryAfterSeconds: value };
    case 'session-expired':
      return JKEY_INVALID;
    case 'wrong-totp':
      return INVALID_CREDENTIALS;
    default:
      return undefined;
  }
}
