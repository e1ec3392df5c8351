import type { AccountId } from '../base/ids.ts';
import { exchangeOf, type OrderNumber } from '../base/ids.ts';
import type { EpochMs } from '../base/time.ts';
import type { Session } from '../core/state.ts';
import type { GatewayParts } from './deps.ts';
import { badRequest, JKEY_INVALID, tooMany, USER_ID_MISSING } from './envelope.ts';
import { type Answer, type Caller, LOGIN_PATH, type Operation } from './operation.ts';
import { RateLimits } from './rate.ts';
import type { Picked } from './request.ts';
import { SessionDesk } from './sessions.ts';

const NOBODY = -1 as AccountId;
/** Source: contract W25. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;
const BAD_IDEMPOTENCY_KEY = badRequest('Idempotency-Key', 'Idempotency-Key must be 1 to 128 visible ASCII characters');

/** What is known of a request beside its body. */
export interface Sender {
  /** The address that it came from. */
  readonly address: string;
  /** The header of that name, unchecked. */
  readonly idempotencyKey: unknown;
}

/**
 * Takes a parsed body through the middle of the order of checks: userId present, jKey valid, userId owns jKey, rate; then
 * the operation checks its own fields. Source: contract W3.
 */
export class Door {
  private readonly parts: GatewayParts;
  private readonly sessions: SessionDesk;
  private readonly limits: RateLimits | undefined;

  constructor(parts: GatewayParts) {
    this.parts = parts;
    this.sessions = new SessionDesk(parts.engine, parts.onFailure);
    this.limits = parts.rateLimit === 'exchange' ? new RateLimits() : undefined;
  }

  enter(operation: Operation, body: Readonly<Record<string, unknown>>, sender: Sender): Answer | Promise<Answer> {
    const picked = operation.pick(body);
    if (operation.path === LOGIN_PATH) return operation.run(this.parts, picked, stranger(sender));
    const { userId, jKey } = picked;
    if (userId === undefined) return USER_ID_MISSING;
    if (jKey === undefined) return { ...JKEY_INVALID, message: operation.jKeyMissing };
    if (typeof jKey !== 'string') return JKEY_INVALID;
    const at = this.parts.clock();
    const found = this.sessions.find(jKey, typeof userId === 'string' ? userId : '', at);
    if (found instanceof Promise || 'status' in found) return found;
    return this.admit(operation, picked, sender, found, at);
  }

  private admit(
    operation: Operation,
    picked: Picked,
    sender: Sender,
    session: Session,
    at: EpochMs,
  ): Answer | Promise<Answer> {
    if (this.limits) {
      const wait = this.wait(this.limits, operation, picked, session.account, at);
      if (wait > 0) return tooMany(wait);
    }
    const key = sender.idempotencyKey;
    if (key !== undefined && (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))) return BAD_IDEMPOTENCY_KEY;
    const caller: Caller = {
      account: session.account,
      tokenDigest: session.tokenDigest,
      address: '',
      idempotencyKey: key,
    };
    return operation.run(this.parts, picked, caller);
  }

  private wait(limits: RateLimits, operation: Operation, picked: Picked, account: AccountId, at: EpochMs): number {
    const { rate } = operation;
    if (rate === 'order') return limits.takeOrder(account, segmentText(picked.exchange), at);
    if (rate === 'amend') return limits.takeOrder(account, this.segmentOfOrder(picked.orderNumber), at);
    return limits.take(rate, account, at);
  }

  /** The exchange of an order by its number; only a segment to count against, so it need not be the caller's order. */
  private segmentOfOrder(text: unknown): string {
    if (typeof text !== 'string') return '';
    const order = this.parts.engine.glance((state) => state.orders.get(Number(text) as OrderNumber));
    return order === undefined ? '' : exchangeOf(order.instrument);
  }
}

function stranger({ address }: Sender): Caller {
  return { account: NOBODY, tokenDigest: '', address, idempotencyKey: undefined };
}

function segmentText(exchange: unknown): string {
  return typeof exchange === 'string' && exchange.length === 3 ? exchange : '';
}
