/**
 * The parts of the rest of the service that the gateway needs, and the parts that operations get: those and the
 * gateway's own memory of answers and of orders. It holds types only; `src/app` puts the parts together.
 */

import type { RequestTrail } from '../audit/port.ts';
import type { AccountId, OrderNumber, SymbolFile } from '../base/ids.ts';
import type { OwnHosts } from '../base/net/own-hosts.ts';
import type { EpochMs, IstDay, WallMs } from '../base/time.ts';
import type { ChargeRates } from '../core/charges/charge-rates.ts';
import type { Instrument, InstrumentDirectory } from '../core/instrument.ts';
import type { MarketData } from '../core/market.ts';
import type { EnginePort } from '../engine/port.ts';
import type { PageFiles } from '../page/page-files.ts';
import type { DayCharges } from '../views/day/day-charges.ts';
import type { PositionTexts } from './endpoints/account/position-texts.ts';
import type { CandleTexts } from './endpoints/market/candle-texts.ts';
import type { QuoteTexts } from './endpoints/market/quote-texts.ts';
import type { AnswerMemory } from './http/answer-memory.ts';
import type { HttpLimits } from './http/connections/http-limits.ts';
import type { TlsFiles } from './http/connections/tls-files.ts';
import type { ContractLists } from './instrument-lists/contract-lists.ts';
import type { DemoLogins, Logins } from './logins.ts';
import type { OrderRates } from './order-rates.ts';
import type { OwnServer } from './reference/own-server.ts';
import type { SocketClock } from './sockets/socket-clock.ts';
import type { SocketLimits } from './sockets/socket-limits.ts';
import type { SharedFilesAnswer } from './standby/shared-files.ts';
import type { EventFeed } from './stream/account-events.ts';
import type { Turns } from './turns.ts';
import type { OrderReplay, WhyQuestions } from './why-questions.ts';

/** The parts of the rest of the service that the gateway needs. */
export interface GatewayDeps {
  readonly engine: EnginePort;
  /** Every record of the engine, once it is durable. */
  readonly feed: EventFeed;
  readonly market: MarketData;
  readonly instruments: InstrumentDirectory;
  readonly logins: Logins;
  /** Logs demo users in without credentials; nobody can be when absent. */
  readonly demoLogins?: DemoLogins;
  /** Where requests are noted; nothing is, when absent. */
  readonly trail?: RequestTrail;
  /** The rates of charges by day, for clients who ask for them beforehand. */
  readonly charges: { on(day: IstDay): ChargeRates };
  /** The master of one exchange, or its index derivatives, as CSV, line by line. Source: contract section 5. */
  symbolLines(file: SymbolFile, at: EpochMs): Iterable<string>;
  /** The short display name of an instrument (`ITC APR 425 CE`). Source: interface §Scrip. */
  representationName(instrument: Instrument): string;
  /** Judges an order again from the journal, beside the service; it throws nothing. */
  replayOrder(order: OrderNumber): OrderReplay;
  /** The wall clock, which sessions and request rates follow. Market time is `engine.now()`. */
  wall(): WallMs;
  /** The value of the `X-Market` header of every response. Source: contract W29. */
  readonly marketLabel: 'simulated' | 'replay' | 'live';
  /** Source: contract W26. */
  readonly rateLimit: 'off' | 'exchange';
  /** Whether orders above the freeze quantity are placed in slices. Source: market-rules R1.29. */
  readonly slicing: 'on' | 'off';
  /** How positions are averaged. Source: market-rules R5.4, R5.6. */
  readonly avgModel: 'aggregate' | 'running';
  /** Whether outcomes can be asked for; every response and every welcome says so then. Source: docs/outcomes.md. */
  readonly scenarios: 'on' | 'off';
  /**
   * The page of the terminal, once it is built. Its address says until then that it is being built, and without a page
   * how to build it.
   */
  readonly page?: Promise<PageFiles | undefined>;
  /** Overrides of the default limits of connections and requests. */
  readonly limits?: Partial<HttpLimits>;
  /** Overrides of the default limits of sockets, and of the clock that their timers and delays on demand follow. */
  readonly socketLimits?: Partial<SocketLimits>;
  readonly socketClock?: SocketClock;
  /** The wire speaks TLS then, and nothing else. */
  readonly tls?: TlsFiles;
  /** Where the service listens, once it does. */
  readonly ownServer?: () => OwnServer | undefined;
  /** Proxies whose `X-Forwarded-For` is believed: addresses, and networks. */
  readonly proxies?: readonly string[];
  /** The names under which the service may be asked; any name will do when absent. */
  readonly hosts?: OwnHosts;
  /** The V1 address of the machine that leads next, once this one has given its place away. */
  successor?(): string | undefined;
  /** Answers the questions of other members of the cluster for files; a service of one machine has no such answer. */
  readonly sharedFiles?: SharedFilesAnswer;
  /** The reasons why the service is not ready, in words; empty when it is. */
  readiness(): readonly string[];
  /** Called with every failure that is the service's own fault; the client has a 500. */
  onFailure(error: unknown): void;
}

/** The parts that operations get: the rest of the service, and the gateway's own memory of answers and of orders. */
export interface GatewayParts extends GatewayDeps {
  readonly contractLists: ContractLists;
  readonly quoteTexts: QuoteTexts;
  readonly candleTexts: CandleTexts;
  readonly positionTexts: PositionTexts;
  /** The charges of the running day, by account. */
  readonly dayCharges: DayCharges;
  readonly orderRates: OrderRates;
  /** The accounts whose positions are being exited. */
  readonly exits: Set<AccountId>;
  /** Questions why an order was judged as it was. */
  readonly whyQuestions: WhyQuestions;
  /** Whose work is done next. */
  readonly turns: Turns;
  /** The memory of answers. */
  readonly answers: AnswerMemory;
}
