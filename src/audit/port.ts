import type { AccountId } from '../base/ids.ts';

/** The session that a request has. */
export interface Who {
  readonly account: AccountId;
  readonly tokenDigest: string;
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

/** Where requests are noted that came to no command: a command is noted with its record, or by its refusal. */
export interface RequestTrail {
  /** Notes a request without a command that was refused. `who` is absent for a request without a session. */
  refuse(who: Who | undefined, request: RefusedRequest): void;
}

/** Where operators' requests are noted. */
export interface OperatorTrail {
  /** A request of an operator was answered: with its route, the status, and the fields of its body. */
  act(op: string, address: string, code: number, fields: Readonly<Record<string, unknown>>): void;
}
