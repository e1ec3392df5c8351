import type { AccountId } from '../base/ids.ts';

/** The session of a request. */
export interface Who {
  readonly account: AccountId;
  readonly tokenDigest: string;
}

/** A request that was refused before it became a command. */
export interface RefusedRequest {
  /** The operation, or what stands for one: `path`, `http`. */
  readonly op: string;
  readonly address: string;
  /** The status and the error of the answer. */
  readonly status: number;
  readonly name: string;
  readonly field: string;
  readonly message: string;
  /** The body, when one was read. Only the fields of an order's terms are noted from it. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Notes requests that did not become a command. A command is noted with its record, or by its refusal. */
export interface RequestTrail {
  /** Notes a refused request that did not become a command. `who` is absent for a request without a session. */
  refuse(who: Who | undefined, request: RefusedRequest): void;
}

/** Notes operators' requests. */
export interface OperatorTrail {
  /** Notes the answered request of an operator: its route, the status, and the fields of its body. */
  act(op: string, address: string, code: number, fields: Readonly<Record<string, unknown>>): void;
}
