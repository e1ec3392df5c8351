/**
 * How operators register users, move money and shares, pledge shares and explain limits.
 * Every change is a command of the engine, with its entry in the journal.
 */
import { must } from '../../base/assert.ts';
import type { AccountId, Exchange, InstrumentId } from '../../base/ids.ts';
import { amountOf, type Paise, type Price, type Quantity } from '../../base/money.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Account } from '../../core/account.ts';
import type { CreditHolding, DepositCash, PayOutCash, PledgeShares, ReleaseShares } from '../../core/command.ts';
import type { Equity, InstrumentDirectory } from '../../core/instrument.ts';
import type { Refusal } from '../../core/refusals/refusal.ts';
import { refusalText } from '../../core/refusals/refusal-text.ts';
import { accountOf } from '../../core/state.ts';
import { type EnginePort, OPERATOR } from '../../engine/port.ts';
import { explainLimit } from '../../views/limit-explained.ts';
import { type LimitReport, limitReport } from '../cli/reports/limit-report.ts';
import { type IssuedCredentials, issueCredentials } from './issued-credentials.ts';

/** Why an operator's action was not done. Nothing happened then. */
export type OperatorRefusal =
  | { readonly rule: 'UserIdShape'; readonly userId: string }
  | { readonly rule: 'UserExists'; readonly userId: string }
  | { readonly rule: 'DemoUsersOnly'; readonly userId: string }
  | { readonly rule: 'UnknownUser'; readonly userId: string }
  | { readonly rule: 'UnknownEquity'; readonly exchange: Exchange; readonly symbol: string }
  | { readonly rule: 'CostTooLarge' }
  | { readonly rule: 'Refused'; readonly userId: string; readonly refusal: Refusal };

export interface Registration {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly usesTotp: boolean;
  readonly demo: boolean;
}

/** Shares as an operator names them. */
export interface NamedShares {
  readonly exchange: Exchange;
  readonly symbol: string;
  readonly quantity: Quantity;
}

export interface UserDeskParts {
  readonly engine: EnginePort;
  readonly instruments: InstrumentDirectory;
  /** Seals credentials for the journal. */
  readonly enrol: (credentials: IssuedCredentials) => Promise<string>;
  /** The cost of a share when the operator does not give it. */
  readonly priceOf: (instrument: InstrumentId) => Price;
  /** True while no user but demo users may be registered. */
  readonly demoOnly?: boolean;
}

/** Registers users and moves their money and shares: commands like all others, journaled before they are answered. */
export class UserOperations {
  private readonly parts: UserDeskParts;

  constructor(parts: UserDeskParts) {
    this.parts = parts;
  }

  /** The account of a user id. */
  async find(userId: string): Promise<AccountId | undefined> {
    return this.parts.engine.read((state) => state.accountByUser.get(userId));
  }

  /**
   * Returns what `look` reads in a user's account; `undefined` when no user has this id. `look` must not keep the
   * account.
   */
  async inspect<T>(userId: string, look: (account: Account) => T): Promise<T | undefined> {
    return this.parts.engine.read((state) => {
      const id = state.accountByUser.get(userId);
      return id === undefined ? undefined : look(must(state.accounts.at(id), 'an account has an index'));
    });
  }

  /** Registers a user with fresh credentials, which exist nowhere else in plain text. */
  async register(registration: Registration): Promise<Result<IssuedCredentials, OperatorRefusal>> {
    const issued = issueCredentials(registration.userId, registration.usesTotp);
    const done = await this.registerWith(issued, registration);
    return done.ok ? ok(issued) : done;
  }

  /** Registers a user with credentials that were issued before. */
  async registerWith(
    issued: IssuedCredentials,
    registration: Registration,
  ): Promise<Result<AccountId, OperatorRefusal>> {
    const { userId, name, email, usesTotp, demo } = registration;
    if (!/^[A-Z][A-Z0-9]{2,15}$/.test(userId)) return fail({ rule: 'UserIdShape', userId });
    if (this.parts.demoOnly === true && !demo) return fail({ rule: 'DemoUsersOnly', userId });
    if ((await this.find(userId)) !== undefined) return fail({ rule: 'UserExists', userId });
    const sealedCredentials = await this.parts.enrol(issued);
    const command = { type: 'RegisterUser', userId, name, email, sealedCredentials, usesTotp, demo } as const;
    const reply = await this.parts.engine.submit({ command, origin: OPERATOR });
    return reply.type === 'UserRegistered' ? ok(reply.account) : fail({ rule: 'UserExists', userId });
  }

  /** Adds money: an opening balance, or a pay-in of the day. */
  async deposit(userId: string, amount: Paise, opening: boolean): Promise<Result<AccountId, OperatorRefusal>> {
    const account = await this.find(userId);
    if (account === undefined) return fail({ rule: 'UnknownUser', userId });
    return this.ask(userId, { type: 'DepositCash', account, amount, opening });
  }

  /** Pays money out, as far as it is free. */
  async payOut(userId: string, amount: Paise): Promise<Result<AccountId, OperatorRefusal>> {
    const account = await this.find(userId);
    if (account === undefined) return fail({ rule: 'UnknownUser', userId });
    return this.ask(userId, { type: 'PayOutCash', account, amount });
  }

  /** Gives shares as collateral, or gives them back. */
  async pledge(
    type: 'PledgeShares' | 'ReleaseShares',
    userId: string,
    { exchange, symbol, quantity }: NamedShares,
  ): Promise<Result<AccountId, OperatorRefusal>> {
    const account = await this.find(userId);
    if (account === undefined) return fail({ rule: 'UnknownUser', userId });
    const found = this.share(exchange, symbol);
    if (found === undefined) return fail({ rule: 'UnknownEquity', exchange, symbol });
    return this.ask(userId, { type, account, instrument: found.id, quantity });
  }

  /** Every figure of the user's limits with the entries that make it. */
  async explainLimit(userId: string): Promise<Result<LimitReport, OperatorRefusal>> {
    const { engine, instruments } = this.parts;
    const nameOf = (id: InstrumentId): string => instruments.get(id)?.tradingSymbol ?? String(id);
    const figures = await engine.read((state, views) => {
      const id = state.accountByUser.get(userId);
      return id === undefined ? undefined : explainLimit(accountOf(state, id), views.ledger, nameOf);
    });
    return figures === undefined ? fail({ rule: 'UnknownUser', userId }) : ok(limitReport(userId, figures));
  }

  /** Adds shares at `price` each, or at the previous close. Refused when their cost is more than is counted exactly. */
  async credit(
    userId: string,
    exchange: Exchange,
    symbol: string,
    quantity: Quantity,
    price?: Price,
  ): Promise<Result<AccountId, OperatorRefusal>> {
    const account = await this.find(userId);
    if (account === undefined) return fail({ rule: 'UnknownUser', userId });
    const found = this.share(exchange, symbol);
    if (found === undefined) return fail({ rule: 'UnknownEquity', exchange, symbol });
    const each = price ?? this.parts.priceOf(found.id);
    if (!Number.isSafeInteger(each * quantity)) return fail({ rule: 'CostTooLarge' });
    const cost = amountOf(each, quantity);
    return this.ask(userId, { type: 'CreditHolding', account, instrument: found.id, quantity, cost });
  }

  /** A share by its trading symbol, of which `-EQ` may be left out. */
  private share(exchange: Exchange, symbol: string): Equity | undefined {
    const { engine, instruments } = this.parts;
    const now = engine.now();
    const found = instruments.find(exchange, symbol, now) ?? instruments.find(exchange, `${symbol}-EQ`, now);
    return found?.kind === 'equity' ? found : undefined;
  }

  private async ask(
    userId: string,
    command: DepositCash | CreditHolding | PayOutCash | PledgeShares | ReleaseShares,
  ): Promise<Result<AccountId, OperatorRefusal>> {
    const reply = await this.parts.engine.submit({ command, origin: OPERATOR });
    return reply.type === 'Refused' ? fail({ rule: 'Refused', userId, refusal: reply.refusal }) : ok(command.account);
  }
}

/** The refusal in words for an operator. */
export function operatorRefusalText(refusal: OperatorRefusal): string {
  switch (refusal.rule) {
    case 'UserIdShape':
      // Not repeated: what was put there by mistake may be a secret.
      return 'a user id must be 3 to 16 capital letters and digits that begin with a letter';
    case 'UserExists':
      return `user ${refusal.userId} exists already`;
    case 'DemoUsersOnly':
      return 'scenarios are on in exchange hours: only demo users can be registered until a start without --scenarios';
    case 'UnknownUser':
      return `there is no user ${refusal.userId}`;
    case 'UnknownEquity':
      return `there is no share ${refusal.symbol} on ${refusal.exchange}`;
    case 'CostTooLarge':
      return 'that number of shares at that price costs more than is counted exactly';
    case 'Refused':
      return refusalText(refusal.refusal, refusal);
  }
}
