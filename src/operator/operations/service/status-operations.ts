/**
 * How operators read the health of the service, its journal and the time of the market. The figures come from the
 * parts of the running service; nothing is measured for the question alone.
 */
import { EXCHANGES } from '../../../base/ids.ts';
import { type ClockSpeed, formatIsoDay, formatIstMoment, type WallMs } from '../../../base/time.ts';
import type { BranchPoint } from '../../../core/branch/branch-point.ts';
import { speedOf } from '../../../core/clock/set-clock.ts';
import type { MarketData } from '../../../core/market.ts';
import type { State } from '../../../core/state.ts';
import type { EnginePort } from '../../../engine/port.ts';
import type { RunningEngine } from '../../../engine/start-engine.ts';
import type { LoopDelay } from '../../../os/loop-delay.ts';
import { exchangeStatus } from '../../../views/exchange-status.ts';
import type { SocketCounts } from '../../http/figures/socket-figures.ts';

/** A file of the data folder: its size in bytes, and when it last changed in milliseconds since 1970. */
export interface KeptFile {
  readonly name: string;
  readonly bytes: number;
  readonly changedAt: number;
}

interface KeptFolder {
  readonly count: number;
  readonly bytes: number;
  /** The last ones by name, the newest first. */
  readonly newest: readonly KeptFile[];
}

/** The files of the history. */
export interface KeptFiles {
  readonly segments: KeptFolder;
  readonly snapshots: KeptFolder;
  readonly trail: KeptFolder;
}

/** The fixed facts of a service. */
export interface ServiceFacts {
  readonly market: string;
  readonly seed: number;
  readonly hours: string;
  readonly data: string;
}

export interface StatusDeskParts {
  readonly engine: Pick<EnginePort, 'read' | 'now'>;
  readonly engineStatus: () => ReturnType<RunningEngine['engine']['status']>;
  readonly head: RunningEngine['head'];
  readonly market: Pick<MarketData, 'session' | 'tickAt'>;
  readonly readiness: () => readonly string[];
  readonly files: () => Promise<KeptFiles>;
  readonly loopDelay: () => LoopDelay;
  readonly sockets: () => SocketCounts;
  readonly connections: () => { readonly open: number; readonly turnedAway: number; readonly letGo: number };
  /** Requests beyond what could be answered, since the start. */
  readonly refused: () => number;
  readonly wall: () => WallMs;
  /** Live instruments, once the contracts of the date are listed. */
  readonly instruments: () => Promise<number>;
  readonly facts: ServiceFacts;
}

/** A phase of an exchange; `next` is absent where none is known. Times are in IST. */
export interface PhaseRow {
  readonly exchange: string;
  readonly phase: string;
  readonly next?: { readonly phase: string; readonly at: string };
}

/** The health of the service. Memory and files are in bytes, durations in milliseconds or as their names say. */
export interface StatusReport {
  /** The reasons for which the service is not ready; empty when it is. */
  readonly missing: readonly string[];
  readonly uptimeSeconds: number;
  readonly facts: ServiceFacts & { readonly instruments: number };
  readonly clock: {
    /** In IST. */
    readonly market: string;
    readonly wall: string;
    /** As of the report of the clock. */
    readonly speed: ClockSpeed;
    /** The trading day that has begun. */
    readonly tradingDay: string;
    /** Market time less wall time, in seconds. */
    readonly apartSeconds: number;
    /** The last step of the day's end that is done; blank while the day trades. */
    readonly dayEnd: string;
    readonly phases: readonly PhaseRow[];
  };
  readonly load: {
    readonly loopDelay: LoopDelay;
    /** Seconds that books with orders are behind the market; 1 or less when nothing is late. */
    readonly marketLagSeconds: number;
    readonly heldCommands: number;
    readonly waitingAnswers: number;
    readonly requestsRefused: number;
    readonly memory: { readonly resident: number; readonly heapUsed: number; readonly heapTotal: number };
  };
  readonly journal: {
    readonly lastSeq: number;
    readonly durableSeq: number;
    /** The chain's hash at the last durable record. */
    readonly hash: string;
    /** Where the history leaves that of another data folder; absent when it does not. */
    readonly branch?: BranchPoint;
    readonly groups: number;
    readonly lastCommitMs: number;
    readonly longestCommitMs: number;
    readonly runningCommitMs: number;
    readonly files: KeptFiles;
  };
  readonly wire: {
    readonly connections: number;
    readonly turnedAway: number;
    readonly sockets: SocketCounts;
    readonly sessions: number;
  };
  readonly books: {
    readonly accounts: number;
    readonly ordersToday: number;
    readonly gtts: number;
    readonly switches: number;
  };
}

/** Reads the health of the service. */
export class StatusOperations {
  private readonly parts: StatusDeskParts;

  constructor(parts: StatusDeskParts) {
    this.parts = parts;
  }

  async report(): Promise<StatusReport> {
    const { engine, readiness, facts, files, instruments } = this.parts;
    const [kept, listed] = await Promise.all([files(), instruments()]);
    const state = await engine.read((read) => ({
      ...this.clockAndBooks(read),
      sessions: read.sessions.size,
      branch: read.branches.at(-1),
    }));
    const { clock, books, sessions, branch } = state;
    return {
      missing: readiness(),
      uptimeSeconds: Math.floor(process.uptime()),
      facts: { ...facts, instruments: listed },
      clock,
      load: this.load(),
      journal: { ...this.journal(kept), ...(branch && { branch }) },
      wire: this.wire(sessions),
      books,
    };
  }

  private clockAndBooks(state: State): Pick<StatusReport, 'clock' | 'books'> {
    const { engine, market, wall } = this.parts;
    const [now, wallNow] = [engine.now(), wall()];
    const tick = market.tickAt(now);
    const phases = EXCHANGES.map((exchange) => phaseRow(exchangeStatus(state, market, exchange, tick)));
    return {
      clock: {
        market: formatIstMoment(now),
        wall: formatIstMoment(wallNow),
        tradingDay: formatIsoDay(state.day),
        apartSeconds: Math.round((now - wallNow) / 1000),
        speed: speedOf(state),
        dayEnd: state.dayEnd ?? '',
        phases,
      },
      books: {
        accounts: state.accounts.length,
        ordersToday: state.orders.size,
        gtts: state.gtts.liveCount,
        switches: state.switches.size,
      },
    };
  }

  private load(): StatusReport['load'] {
    const { marketLag, held, waiting } = this.parts.engineStatus();
    const { rss, heapUsed, heapTotal } = process.memoryUsage();
    return {
      loopDelay: this.parts.loopDelay(),
      marketLagSeconds: marketLag,
      heldCommands: held,
      waitingAnswers: waiting,
      requestsRefused: this.parts.refused(),
      memory: { resident: rss, heapUsed, heapTotal },
    };
  }

  private journal(files: KeptFiles): StatusReport['journal'] {
    const { lastSeq, durableSeq, groups, lastCommitMs, longestCommitMs, stalledMs } = this.parts.engineStatus();
    return {
      lastSeq,
      durableSeq,
      hash: this.parts.head().hash,
      groups,
      lastCommitMs,
      longestCommitMs,
      runningCommitMs: stalledMs,
      files,
    };
  }

  private wire(sessions: number): StatusReport['wire'] {
    const { open, turnedAway } = this.parts.connections();
    return { connections: open, turnedAway, sockets: this.parts.sockets(), sessions };
  }
}

function phaseRow({ exchange, phase, next }: ReturnType<typeof exchangeStatus>): PhaseRow {
  return { exchange, phase, ...(next && { next: { phase: next.phase, at: formatIstMoment(next.at) } }) };
}
