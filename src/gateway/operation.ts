/**
 * An operation of the wire: its path, the schema of its request, its answer and its handler, compiled into one object.
 * The operations themselves are in `endpoints/`, and their list is in `operations.ts`.
 */

import type { Static, TObject, TSchema } from 'typebox';
import type { AccountId } from '../base/ids.ts';
import type { Origin } from '../engine/port.ts';
import type { Answer } from './answer.ts';
import type { GatewayParts } from './deps.ts';
import { successHead } from './fields/envelope.ts';
import { type MissingForm, type Picked, RequestReader } from './fields/request.ts';
import { compileWriter } from './fields/writer.ts';
import type { Listener } from './turns.ts';

/** Which limit of contract W26 a request counts against. */
export type RateClass = 'order' | 'amend' | 'quote' | 'candle' | 'other';

/** The sender of a request, and the facts that came beside its body. */
export interface Caller {
  /** The account that the session belongs to; -1 for an operation without one. */
  readonly account: AccountId;
  readonly tokenDigest: string;
  /** Cuts the connection in place of the answer; only where outcomes can be asked for. */
  readonly loseAnswer?: () => void;
  /** The path of the operation, without its slash. */
  readonly op: string;
  /** Where the request came from; worked out when it is asked for. */
  readonly from: Listener & { readonly address: string; readonly isForeignPage?: boolean };
  readonly idempotencyKey: string | undefined;
}

/** The origin of the commands of a caller who is logged in. Ask for it before the request is answered. */
export function originOf({ op, from, account, tokenDigest }: Caller): Origin {
  return { type: 'Client', op, address: from.address, account, tokenDigest };
}

/** The success answer of an operation: its message, its schema, and the compiled writer of whole bodies. */
export interface SuccessAnswer<T extends TSchema> {
  readonly message: string;
  readonly data: T;
  /** The body up to its data. */
  readonly head: string;
  write(data: Static<T>): string;
  /** The body around data that is JSON already. */
  wrap(dataText: string): string;
}

export function success<T extends TSchema>(message: string, data: T): SuccessAnswer<T> {
  const head = successHead(message);
  const write = compileWriter(data);
  const wrap = (dataText: string) => `${head}${dataText}}`;
  return { message, data, head, wrap, write: (value) => wrap(write(value)) };
}

/** The fields that the picked ones, or the state, make required beside those that always are. */
type Needs = (picked: Picked, deps: GatewayParts) => readonly string[] | Promise<readonly string[]>;

/** An operation before its schema is compiled. */
export interface OperationSpec<T extends TObject> {
  /** The path under the version segment. */
  readonly path: string;
  readonly summary: string;
  readonly request: T;
  /** How a missing field is worded; `BAD_REQUEST` when absent. */
  readonly missing?: MissingForm;
  /** None when absent. */
  readonly needs?: Needs;
  readonly rate: RateClass;
  /** The words for a jKey that is not there; `JKey is required` when absent. Source: contract 3.22. */
  readonly jKeyMissing?: string;
  /** The message and the data of a success; absent data for logout. */
  readonly answer: { readonly message?: string; readonly data?: TSchema };
  /** The data of a success that concerned several orders. */
  readonly slicedData?: TSchema;
  /** Whether an `Idempotency-Key` makes requests one. Source: contract W25. */
  readonly takesKey?: true;
  /** Whether it needs no session: those that open one, and the list of whom that is offered to. */
  readonly forStrangers?: true;
  handle(deps: GatewayParts, fields: Static<T>, caller: Caller): Answer | Promise<Answer>;
}

/** An operation of the interface: one schema that is its type, its validator and its part of the published document. */
export interface Operation {
  readonly path: string;
  readonly summary: string;
  readonly request: TObject;
  readonly rate: RateClass;
  readonly jKeyMissing: string | undefined;
  readonly answer: { readonly message?: string; readonly data?: TSchema };
  readonly slicedData: TSchema | undefined;
  readonly takesKey: boolean;
  readonly forStrangers: boolean;
  /** The fields of a body that it knows; `undefined` when the body has too many. */
  pick(body: Readonly<Record<string, unknown>>): Picked | undefined;
  /** Checks the picked fields, then carries the operation out. */
  run(deps: GatewayParts, picked: Picked, caller: Caller): Answer | Promise<Answer>;
}

export function operation<const T extends TObject>(spec: OperationSpec<T>): Operation {
  const reader = new RequestReader(spec.request, spec.missing ?? 'BAD_REQUEST');
  const carryOut = (deps: GatewayParts, picked: Picked, caller: Caller, needed?: readonly string[]) =>
    reader.accepts(picked, needed) ? spec.handle(deps, picked, caller) : reader.explain(picked, needed);
  return {
    path: spec.path,
    summary: spec.summary,
    request: spec.request,
    rate: spec.rate,
    jKeyMissing: spec.jKeyMissing,
    answer: spec.answer,
    slicedData: spec.slicedData,
    takesKey: spec.takesKey === true,
    forStrangers: spec.forStrangers === true,
    pick: (body) => reader.pick(body),
    run: (deps, picked, caller) => {
      const needed = spec.needs?.(picked, deps);
      return needed instanceof Promise
        ? needed.then((names) => carryOut(deps, picked, caller, names))
        : carryOut(deps, picked, caller, needed);
    },
  };
}
