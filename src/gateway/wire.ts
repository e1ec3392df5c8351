/**
 * Takes requests from their path to the door, and the answers back to their sender. It knows nothing of HTTP but
 * methods and paths.
 */

import type { Who } from '../audit/port.ts';
import { isJsonObject, jsonOf } from '../base/json.ts';
import type { MarketData } from '../core/market.ts';
import type { Coding } from '../page/page-files.ts';
import { DayCharges } from '../views/day/day-charges.ts';
import type { Answer } from './answer.ts';
import { LongAnswer } from './answer.ts';
import type { GatewayDeps, GatewayParts } from './deps.ts';
import { type DocumentSource, type OfferedDocument, offerDocuments } from './documents.ts';
import { Door, type Entrant, opOf, type Sender } from './door.ts';
import { PositionTexts } from './endpoints/account/position-texts.ts';
import { CandleTexts } from './endpoints/market/candle-texts.ts';
import { QuoteTexts } from './endpoints/market/quote-texts.ts';
import {
  BODY_TOO_LARGE,
  CLIENT_GONE,
  ENCODED_BODY,
  type Failure,
  INTERNAL_ERROR,
  MALFORMED_BODY,
  methodNotAllowed,
  NO_ROOM,
  NOT_FOUND,
  NOT_JSON_TYPE,
  NOT_UTF8,
  OVERLOADED,
  UNAVAILABLE,
} from './fields/envelope.ts';
import { AnswerMemory } from './http/answer-memory.ts';
import type { LongReply } from './http/long-reply.ts';
import { pathOf } from './http/path.ts';
import { failureReply, JSON_TYPE, jsonReply, type Reply } from './http/respond.ts';
import { ContractLists } from './instrument-lists/contract-lists.ts';
import type { Operation, RateClass } from './operation.ts';
import { BASE, OPERATIONS } from './operations.ts';
import { OrderRates } from './order-rates.ts';
import { Overload } from './overload.ts';
import { shownMarket } from './scenarios/shown-market.ts';
import type { SessionLookup } from './sessions.ts';
import { type Client, ClientGone, Turns } from './turns.ts';
import { WhyQuestions } from './why-questions.ts';

/** A longer body is read in a turn. In characters; an order has some 300, and 4,096 take up to 0.15 ms to read. */
const LARGE_BODY = 4_096;

/** One request as the wire sees it: its sender, and the way back for its answer. */
export interface Call extends Sender {
  /** Whether the client reads documents packed so; it reads none when absent. */
  readonly accepts?: (coding: Coding) => boolean;
  /** Called once. `client`: whose memory the answer takes until it is read. */
  send(reply: Reply, client: Client): void;
  /** Called once, when `send` is not. */
  sendLong(reply: LongReply): void;
  /** Ends the connection without an answer: called once, when neither of the others is. */
  cut(): void;
}

/** A request that came to an operation. */
interface EnteredCall extends Entrant {
  readonly body: Readonly<Record<string, unknown>>;
  readonly call: Call;
}

/** The one method that a path offers. */
type Route =
  | { readonly method: 'POST'; readonly operation: Operation }
  | ({ readonly method: 'GET' } & OfferedDocument);

export class Wire {
  /** The parts that operations get. */
  readonly parts: GatewayParts;
  private readonly deps: GatewayDeps;
  private readonly door: Door;
  private readonly routes = new Map<string, Route>();
  private readonly overload = new Overload();
  private readonly turns: Turns;
  private readonly answers: AnswerMemory;

  constructor(given: GatewayDeps, turns = new Turns(), answers = new AnswerMemory()) {
    const deps = given.scenarios === 'on' ? { ...given, market: marketUnderRules(given) } : given;
    this.deps = deps;
    this.turns = turns;
    this.answers = answers;
    this.parts = {
      ...deps,
      turns,
      answers,
      contractLists: new ContractLists(deps.instruments, turns),
      quoteTexts: new QuoteTexts(deps.market),
      candleTexts: new CandleTexts(deps.market),
      positionTexts: new PositionTexts(),
      dayCharges: new DayCharges(),
      orderRates: new OrderRates(deps),
      exits: new Set(),
      whyQuestions: new WhyQuestions({ replay: (order) => deps.replayOrder(order) }),
    };
    this.door = new Door(this.parts);
    for (const operation of OPERATIONS) this.routes.set(`${BASE}${operation.path}`, { method: 'POST', operation });
    offerDocuments(this.parts, (path, offered) => this.routes.set(path, { method: 'GET', ...offered }));
  }

  get sessions(): SessionLookup {
    return this.door.sessions;
  }

  /** Requests that were refused since the start because too many came. */
  get refused(): number {
    return this.overload.refused + this.answers.refused;
  }

  /** The operation of an exact path; `undefined` for any other path. */
  operationAt(path: string): Operation | undefined {
    const route = this.routes.get(path);
    return route?.method === 'POST' ? route.operation : undefined;
  }

  /**
   * The operation that a request asks for; `undefined` when it was answered: with a document, or with the failure of
   * its method or target.
   */
  route(method: string, target: string, call: Call): Operation | undefined {
    const route = this.find(target);
    if (route === undefined) this.refuse(call, 'path', NOT_FOUND);
    else if (method !== route.method && !isHeadOfPage(method, route))
      this.refuse(call, 'path', methodNotAllowed(route.method));
    else if (route.method === 'POST') return route.operation;
    else this.turns.take(call.address, () => this.sendDocument(call, route.document, target));
    return undefined;
  }

  refuseType(call: Call): void {
    this.refuse(call, 'http', NOT_JSON_TYPE);
  }

  refuseCoding(call: Call): void {
    this.refuse(call, 'http', ENCODED_BODY);
  }

  refuseSize(call: Call): void {
    this.refuse(call, 'http', BODY_TOO_LARGE);
  }

  refuseEncoding(call: Call): void {
    this.refuse(call, 'http', NOT_UTF8);
  }

  /**
   * Carries an operation out and answers it, now or when the state behind its answer is durable. `text` is the body of
   * the request.
   */
  enter(operation: Operation, text: string, call: Call): void {
    // Before the body is read and without a note anywhere but in the count: refusing has to cost next to nothing.
    if (this.overload.refuses(operation.rate)) {
      call.send(failureReply(OVERLOADED), call.address);
      return;
    }
    if (text.length > LARGE_BODY) {
      this.turns.take(call.address, (waited, isLast) => this.enterLarge(operation, text, call, waited, isLast));
      return;
    }
    const entered = this.read(operation, text, call);
    if (entered === undefined) return;
    this.turns.take(entered.client, (waited, isLast) => this.carryOut(entered, waited, isLast));
  }

  /** Reads a large body in a turn of its address: only the body names its client. `waited`, `isLast`: as below. */
  private enterLarge(operation: Operation, text: string, call: Call, waited: number, isLast: boolean): void {
    if (this.isLate(operation, waited, isLast)) {
      call.send(failureReply(OVERLOADED), call.address);
      return;
    }
    const entered = this.read(operation, text, call);
    if (entered === undefined) return;
    if (entered.client === call.address) this.carryOut(entered, 0, isLast);
    else this.turns.take(entered.client, (again, isLastAgain) => this.carryOut(entered, again, isLastAgain));
  }

  /** Reads the body of a request; `undefined` when it was refused. */
  private read(operation: Operation, text: string, call: Call): EnteredCall | undefined {
    const body = jsonOf(text);
    if (isJsonObject(body)) {
      const picked = operation.pick(body);
      return { operation, body, picked, call, client: this.door.clientOf(picked, call), session: undefined };
    }
    this.refuse(call, opOf(operation), MALFORMED_BODY);
    return undefined;
  }

  private isLate({ rate }: Operation, waited: number, isLast: boolean): boolean {
    return waited > 0 && this.overload.isLate(rate, waited, this.turns.waiting, isLast);
  }

  /** `waited`: for how many milliseconds the request waited for others; `isLast`: no other one of its client waits. */
  private carryOut(entered: EnteredCall, waited: number, isLast: boolean): void {
    const { operation, call, client } = entered;
    const isLate = this.isLate(operation, waited, isLast);
    if (isLate || (isQuestion(operation.rate) && !this.answers.admits(client))) {
      call.send(failureReply(isLate ? OVERLOADED : NO_ROOM), client);
      return;
    }
    let answer: Answer | Promise<Answer>;
    try {
      answer = this.door.enter(entered);
    } catch (error) {
      answer = this.failureOf(error);
    }
    if (answer instanceof Promise) this.settleLater(entered, answer);
    else this.settle(entered, answer);
  }

  private settleLater(entered: EnteredCall, answer: Promise<Answer>): void {
    answer.then(
      (settled) => this.settle(entered, settled),
      (error: unknown) => this.settle(entered, this.failureOf(error)),
    );
  }

  private settle(entered: EnteredCall, answer: Answer): void {
    const { call, operation, body, client, session, isLost } = entered;
    if (typeof answer !== 'string' && 'status' in answer && answer.isDecided !== true) {
      this.note(call, opOf(operation), answer, session, body);
    }
    if (isLost === true) {
      if (answer instanceof LongAnswer) answer.room.giveBack();
      call.cut();
    } else if (typeof answer === 'string') call.send(jsonReply(answer), client);
    else if (answer instanceof LongAnswer) {
      const { pieces, length, room } = answer;
      call.sendLong({ type: JSON_TYPE, pieces, length, room });
    } else call.send(failureReply(answer), client);
  }

  /** Refuses a request that came to no operation. */
  private refuse(call: Call, op: string, failure: Failure): void {
    this.note(call, op, failure, undefined);
    call.send(failureReply(failure), call.address);
  }

  private note(
    { address }: Call,
    op: string,
    { status, name, field, message }: Failure,
    who: Who | undefined,
    body?: Readonly<Record<string, unknown>>,
  ): void {
    this.deps.trail?.refuse(who, { op, address, status, name, field, message, ...(body && { body }) });
  }

  private find(target: string): Route | undefined {
    const known = this.routes.get(target);
    if (known !== undefined) return known;
    const path = pathOf(target);
    return path === undefined ? undefined : this.routes.get(path);
  }

  private sendDocument(call: Call, document: DocumentSource, target: string): void {
    const { address, accepts } = call;
    const fail = (error: unknown): void => call.send(failureReply(this.failureOf(error)), address);
    const send = (reply: Reply | LongReply): void => {
      if ('room' in reply) call.sendLong(reply);
      else call.send(reply, address);
    };
    try {
      const reply = document(address, accepts, target);
      if (reply instanceof Promise) reply.then(send, fail);
      else send(reply);
    } catch (error) {
      fail(error);
    }
  }

  /**
   * The failure that a client gets for an error. An error that is our own fault is handed to the process's failure
   * hook.
   */
  private failureOf(error: unknown): Failure {
    if (error instanceof ClientGone) return CLIENT_GONE;
    if (error instanceof Error && error.name === 'Unavailable') return UNAVAILABLE;
    this.deps.onFailure(error);
    return INTERNAL_ERROR;
  }
}

/** The market that answers and frames show where operators can change them. */
function marketUnderRules({ market, engine }: GatewayDeps): MarketData {
  return shownMarket(market, () => engine.glance(({ scenarioRules }) => scenarioRules));
}

/** Pages are met by browsers and their tools, which may ask for a head alone. */
function isHeadOfPage(method: string, route: Route): boolean {
  return method === 'HEAD' && route.method === 'GET' && route.isPage;
}

/**
 * Operations that may need a large answer and can be asked again. Orders and their amendments are answered in a few
 * words.
 */
function isQuestion(rate: RateClass): boolean {
  return rate !== 'order' && rate !== 'amend';
}
