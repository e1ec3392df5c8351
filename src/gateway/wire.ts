import type { GatewayDeps } from './deps.ts';
import { documents } from './documents.ts';
import { Door, type Sender } from './door.ts';
import {
  BODY_TOO_LARGE,
  type Failure,
  INTERNAL_ERROR,
  MALFORMED_BODY,
  methodNotAllowed,
  NOT_FOUND,
  NOT_JSON_TYPE,
  NOT_UTF8,
  OVERLOADED,
  UNAVAILABLE,
} from './envelope.ts';
import type { Answer, Operation } from './operation.ts';
import { BASE, OPERATIONS } from './operations.ts';
import { Overload } from './overload.ts';
import { pathOf } from './path.ts';
import { PositionTexts } from './position-texts.ts';
import { QuoteTexts } from './quote-texts.ts';
import { failureReply, jsonReply, type Reply } from './respond.ts';

/** One request as the wire sees it: who sent it, and where its answer goes. */
export interface Exchange extends Sender {
  /** Called once. */
  send(reply: Reply): void;
}

/** What a path offers: one method. */
type Route =
  | { readonly method: 'POST'; readonly operation: Operation }
  | { readonly method: 'GET'; readonly document: () => Reply };

/** Takes requests from their path to the door, and what comes back to their sender. Knows nothing of HTTP but methods and paths. */
export class Wire {
  private readonly deps: GatewayDeps;
  private readonly door: Door;
  private readonly routes = new Map<string, Route>();
  private readonly overload = new Overload();

  constructor(deps: GatewayDeps) {
    this.deps = deps;
    this.door = new Door({
      ...deps,
      quoteTexts: new QuoteTexts(deps.market),
      positionTexts: new PositionTexts(),
    });
    for (const operation of OPERATIONS) this.routes.set(`${BASE}${operation.path}`, { method: 'POST', operation });
    for (const [path, document] of documents(deps)) this.routes.set(path, { method: 'GET', document });
  }

  /** Requests that were refused since the start because too many came. */
  get refused(): number {
    return this.overload.refused;
  }

  /** The operation of an exact path; `undefined` for any other path. */
  operationAt(path: string): Operation | undefined {
    const route = this.routes.get(path);
    return route?.method === 'POST' ? route.operation : undefined;
  }

  /** The operation that a request asks for; `undefined` when it was answered: with a document, or with what is wrong about method or target. */
  route(method: string, target: string, exchange: Exchange): Operation | undefined {
    const route = this.find(target);
    if (route === undefined) fail(exchange, NOT_FOUND);
    else if (method !== route.method) fail(exchange, methodNotAllowed(route.method));
    else if (route.method === 'POST') return route.operation;
    else this.sendDocument(exchange, route.document);
    return undefined;
  }

  refuseType(exchange: Exchange): void {
    fail(exchange, NOT_JSON_TYPE);
  }

  refuseSize(exchange: Exchange): void {
    fail(exchange, BODY_TOO_LARGE);
  }

  refuseEncoding(exchange: Exchange): void {
    fail(exchange, NOT_UTF8);
  }

  /** Carries an operation out and answers it, now or when what it tells is durable. `text` is the body of the request. */
  enter(operation: Operation, text: string, exchange: Exchange): void {
    // Before the body is read and without a note anywhere but in the count: refusing has to cost next to nothing.
    if (this.overload.refuses(operation.rate)) {
      exchange.send(failureReply(OVERLOADED));
      return;
    }
    const body = parsed(text);
    if (!isRecord(body)) {
      fail(exchange, MALFORMED_BODY);
      return;
    }
    try {
      const answer = this.door.enter(operation, body, exchange);
      if (answer instanceof Promise) this.settleLater(exchange, answer);
      else settle(exchange, answer);
    } catch (error) {
      fail(exchange, this.failureOf(error));
    }
  }

  private settleLater(exchange: Exchange, answer: Promise<Answer>): void {
    answer.then(
      (settled) => settle(exchange, settled),
      (error: unknown) => fail(exchange, this.failureOf(error)),
    );
  }

  private find(target: string): Route | undefined {
    const known = this.routes.get(target);
    if (known !== undefined) return known;
    const path = pathOf(target);
    return path === undefined ? undefined : this.routes.get(path);
  }

  private sendDocument(exchange: Exchange, document: () => Reply): void {
    try {
      exchange.send(document());
    } catch (error) {
      fail(exchange, this.failureOf(error));
    }
  }

  /** What a client is told of an error. What is our own fault is handed to the process's failure hook. */
  private failureOf(error: unknown): Failure {
    if (error instanceof Error && error.name === 'Unavailable') return UNAVAILABLE;
    this.deps.onFailure(error);
    return INTERNAL_ERROR;
  }
}

function settle(exchange: Exchange, answer: Answer): void {
  exchange.send(typeof answer === 'string' ? jsonReply(answer) : failureReply(answer));
}

function fail(exchange: Exchange, failure: Failure): void {
  exchange.send(failureReply(failure));
}

/** Text that is no JSON says nothing. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRecord(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
