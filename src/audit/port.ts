import type { AccountId } from '../base/ids.ts';

/** The session that a request has; account -1 for whoever has none. */
export interface Who {
  readonly account: AccountId;
  readonly tokenDigest: string;
}

/** Where a request came from; looked at only when it is noted. */
export interface Origin {
  readonly address: string;
}

/** What is told of a request that was refused before it came to a command. */
export interface RefusedRequest {
  /** The operation, or what stands for one: `path`, `http`. */
  readonly op: string;
  readonly address: string;
  /** The status and the error of the answer. */
  readonly status: number;
  readonly name: string;
  readonly field: string;
  readonly message: string;
  /** The body, when one was read. Of it only fields that name an order's terms are noted. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A login that has checked every factor. */
export interface CheckedLogin {
  readonly vendorCode: string;
  readonly apiKey: string;
}

/**
 * Where requests are noted. Between `begin` and `end`, which are called in one turn without anything asynchronous between them, every command that the engine
 * decides is of this request; so nothing is ever noted as somebody else's.
 */
export interface RequestTrail {
  begin(op: string, origin: Origin): void;
  /** The session that the request was found to have. */
  identify(session: Who): void;
  /** Who it was, for a refusal that follows; `undefined` when a command was decided, which is noted by now, so that nothing follows. */
  end(): Who | undefined;
  /** Notes a login's command; called in place of `begin` for it. */
  beginLogin(origin: Origin, login: CheckedLogin): void;
  /** Notes a request without a command that was refused. `who` is what `end` gave; absent for what came to no operation. */
  refuse(who: Who | undefined, request: RefusedRequest): void;
}

/** Where operators' requests are noted. */
export interface OperatorTrail {
  /** A request of an operator was answered: with its route, the status, and the fields of its body. */
  act(op: string, address: string, code: number, fields: Readonly<Record<string, unknown>>): void;
}
