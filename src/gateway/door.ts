/**
 * Takes a parsed body through the middle of the order of checks: userId present, jKey valid, userId owns jKey, address,
 * rate; then the operation checks its own fields. Source: contract W3.
 */

import type { Who } from '../audit/port.ts';
import type { AccountId } from '../base/ids.ts';
import { EXCHANGES, exchangeOf, type OrderNumber } from '../base/ids.ts';
import type { WallMs } from '../base/time.ts';
import type { Session } from '../core/state.ts';
import type { Answer } from './answer.ts';
import type { GatewayParts } from './deps.ts';
import {
  ADDRESS_NOT_REGISTERED,
  badRequest,
  type Failure,
  TOO_MANY_CONNECTIONS,
  TOO_MANY_FIELDS,
  tooMany,
} from './fields/envelope.ts';
import { IDEMPOTENCY_KEY } from './fields/fields.ts';
import type { Picked } from './fields/request.ts';
import type { Caller, Operation } from './operation.ts';
import { RateLimits } from './rate.ts';
import { RequestRules } from './scenarios/request-rules.ts';
import { SessionLookup } from './sessions.ts';
import type { Client, Listener } from './turns.ts';

const NOBODY = -1 as AccountId;
/** Source: contract W25. */
const KEY = new RegExp(IDEMPOTENCY_KEY);
const BAD_IDEMPOTENCY_KEY = badRequest('Idempotency-Key', 'Idempotency-Key must be 1 to 128 visible ASCII characters');

/** The facts about a request beside its body. */
export interface Sender extends Listener {
  /** The address that it came from. */
  readonly address: string;
  /** The header of that name, unchecked. */
  readonly idempotencyKey: unknown;
  /** A browser sends it for a page of another site: its `Origin` is none of the service's names; false when absent. */
  readonly isForeignPage?: boolean;
  /** Its connection brought a request of that account's session; false when the account has too many connections. */
  belongTo(account: AccountId): boolean;
}

/** A request on its way through the door. */
export interface Entrant {
  readonly operation: Operation;
  /** The fields of its body that the operation knows; `undefined` when the body has too many fields. */
  readonly picked: Picked | undefined;
  readonly call: Sender;
  readonly client: Client;
  /** The session that the door found it to have. */
  session: Who | undefined;
  /** Its connection is cut instead of an answer. */
  isLost?: boolean;
}

export class Door {
  readonly sessions: SessionLookup;
  private readonly parts: GatewayParts;
  private readonly limits = new RateLimits();
  /** The rules of operators for requests, where outcomes can be asked for. */
  private readonly rules: RequestRules | undefined;

  constructor(parts: GatewayParts) {
    this.parts = parts;
    this.sessions = new SessionLookup(parts.engine, parts.onFailure, parts.wall());
    this.rules = parts.scenarios === 'on' ? new RequestRules(parts) : undefined;
  }

  /**
   * The client whose turn a request waits for: the account that its token names, or the address when the token names
   * none.
   */
  clientOf(picked: Picked | undefined, { address }: Sender): Client {
    const jKey = picked?.jKey;
    return (typeof jKey === 'string' ? this.sessions.accountOf(jKey) : undefined) ?? address;
  }

  enter(entrant: Entrant): Answer | Promise<Answer> {
    const { picked } = entrant;
    if (picked === undefined) return TOO_MANY_FIELDS;
    return this.rules === undefined
      ? this.carryOut(entrant, picked)
      : this.enterUnderRules(this.rules, entrant, picked);
  }

  private carryOut(entrant: Entrant, picked: Picked): Answer | Promise<Answer> {
    const { operation } = entrant;
    if (operation.forStrangers) return operation.run(this.parts, picked, stranger(entrant));
    const found = this.find(entrant, picked);
    return found instanceof Promise || 'status' in found ? found : this.admit(entrant, picked, found);
  }

  /** Rules of operators come after the session, and before all else. A request that waited looks for it again. */
  private enterUnderRules(rules: RequestRules, entrant: Entrant, picked: Picked): Answer | Promise<Answer> {
    const { operation, client } = entrant;
    const found = operation.forStrangers ? undefined : this.find(entrant, picked);
    if (found instanceof Promise || (found !== undefined && 'status' in found)) return found;
    return rules.answer({
      picked,
      operation: opOf(operation),
      account: found?.account ?? this.accountOf(picked.userId),
      ...(found && { tokenDigest: found.tokenDigest }),
      client,
      lose: () => lose(entrant),
      run: () => this.carryOut(entrant, picked),
    });
  }

  private find(entrant: Entrant, { userId, jKey }: Picked): Session | Failure | Promise<Failure> {
    const found = this.sessions.named(userId, jKey, this.parts.wall(), entrant.operation.jKeyMissing);
    if (!(found instanceof Promise || 'status' in found)) entrant.session = found;
    return found;
  }

  private accountOf(userId: unknown): AccountId | undefined {
    if (typeof userId !== 'string') return undefined;
    return this.parts.engine.glance(({ accountByUser }) => accountByUser.get(userId));
  }

  private admit(entrant: Entrant, picked: Picked, session: Session): Answer | Promise<Answer> {
    const { operation, call: sender } = entrant;
    if (!sender.belongTo(session.account)) return TOO_MANY_CONNECTIONS;
    const refusal = this.refusalOf(operation, picked, sender, session.account, this.parts.wall());
    if (refusal !== undefined) return refusal;
    const key = sender.idempotencyKey;
    if (key !== undefined && (typeof key !== 'string' || !KEY.test(key))) return BAD_IDEMPOTENCY_KEY;
    const caller: Caller = {
      account: session.account,
      tokenDigest: session.tokenDigest,
      op: opOf(operation),
      from: sender,
      idempotencyKey: key,
      ...(this.parts.scenarios === 'on' && { loseAnswer: () => lose(entrant) }),
    };
    return operation.run(this.parts, picked, caller);
  }

  /**
   * The failure that keeps a request out although its session is good: the account's own rules for orders, the
   * service's rates for all requests.
   */
  private refusalOf(
    { rate }: Operation,
    picked: Picked,
    sender: Sender,
    account: AccountId,
    at: WallMs,
  ): Failure | undefined {
    if (rate !== 'order' && rate !== 'amend') {
      const wait = this.parts.rateLimit === 'exchange' ? this.limits.take(rate, account, at) : 0;
      return wait > 0 ? tooMany(wait) : undefined;
    }
    const { orderRates } = this.parts;
    const access = orderRates.accessOf(account);
    if (access?.fixed && !access.registered?.addresses.includes(sender.address)) return ADDRESS_NOT_REGISTERED;
    const perSecond = orderRates.perSecondOf(access);
    if (perSecond === undefined) return undefined;
    const segment = rate === 'order' ? segmentText(picked.exchange) : this.segmentOfOrder(picked.orderNumber);
    const waits = orderRates.take(account, segment, perSecond, at);
    if (waits !== undefined || rate !== 'order') return waits;
    const key = sender.idempotencyKey;
    return orderRates.takeToday(account, [typeof key === 'string' ? key : undefined], at);
  }

  /** The exchange of an order by its number; only a segment to count against, so it need not be the caller's order. */
  private segmentOfOrder(text: unknown): string {
    if (typeof text !== 'string') return '';
    const order = this.parts.engine.glance((state) => state.orders.get(Number(text) as OrderNumber));
    return order === undefined ? '' : exchangeOf(order.instrument);
  }
}

function stranger({ operation, call }: Entrant): Caller {
  return { account: NOBODY, tokenDigest: '', op: opOf(operation), from: call, idempotencyKey: undefined };
}

/** The name of an operation: its path without the slash. */
export function opOf({ path }: Operation): string {
  return path.slice(1);
}

function segmentText(exchange: unknown): string {
  return EXCHANGES.find((known) => known === exchange) ?? '';
}

/** Lets the connection of a request be cut in place of its answer. */
function lose(entrant: Entrant): void {
  entrant.isLost = true;
}
