/**
 * The audit trail as the gateway and the operator's side see it: who notes requests and acts in it, and how an operator
 * reads it back.
 */
import type { AccountId } from '../base/ids.ts';
import type { WallMs } from '../base/time.ts';

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
  /**
   * Notes an answered request to the operator's port: its route, the status, and the fields of its body. Without
   * `fields` it is of somebody who showed no token: his words are not an operator's, and a flood of his is counted.
   */
  act(op: string, address: string, code: number, fields: Readonly<Record<string, unknown>> | undefined): void;
}

/** A search of the audit trail. An absent field matches everything; wall times include both ends. */
export interface TrailSearch {
  readonly user?: string;
  readonly from?: WallMs;
  readonly to?: WallMs;
  readonly order?: number;
  /** The operation, route or command, as the line has it. */
  readonly op?: string;
  readonly kind?: string;
  /** The member of a cluster whose lines are asked for, in the copy of its trail; this service's own when absent. */
  readonly member?: string;
}

/** A reading of the audit trail from its end. */
export interface TrailQuestion extends TrailSearch {
  /** Only lines with a smaller number. */
  readonly before?: number;
  /** The most lines that are given. */
  readonly most: number;
}

/** A line of the trail as it was read back: its number, its wall time, and fields by its kind. */
export interface FoundLine {
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly utc: number;
  readonly kind: string;
  readonly [name: string]: unknown;
}

/** The lines that a reading from the end found, the newest first. */
export interface FoundLines {
  readonly lines: readonly FoundLine[];
  /** `before` of the next question, when older lines may match too. */
  readonly reached?: number;
}

/** Reads the trail for operators, off the event loop. */
export interface TrailReading {
  /** The kinds of lines. */
  readonly kinds: readonly string[];
  /** The newest lines that match. `undefined` when too many wait already. */
  newest(question: TrailQuestion): Promise<FoundLines | undefined>;
}
