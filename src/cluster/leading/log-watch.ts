/**
 * A leader asks the servers of the log again and again what the gate asked before its start: a server that was away
 * then, or that came back with other settings, may lose what it acknowledges. Trading goes on, since the other servers
 * may be sound; an operator has to repair the server.
 */
import type { ClusterFile } from '../cluster-file.ts';
import type { ClusterTime } from '../cluster-time.ts';
import type { LogReport } from '../lanes/nats/log-report.ts';
import { judge, type Verdict } from '../start-gate.ts';

const AGAIN_MS = 60_000;
/** At first, while a server is away, and to look once more at a fault, in milliseconds. */
const SOON_MS = 5_000;

export interface LogWatchParts {
  readonly time: Pick<ClusterTime, 'after'>;
  /** Gives nothing where the log does not answer; may reject. */
  readonly report: () => Promise<LogReport | undefined>;
  readonly judge: (report: LogReport) => Pick<Verdict, 'faults'>;
  /** Receives a sentence on each fault and each server that is away, once, and on the end of all faults. */
  readonly note: (gravity: 'error' | 'warn' | 'info', words: string) => void;
}

/** The watch over the log of a cluster; `undefined` for one without servers. */
export function watchOf(
  { name, log }: Pick<ClusterFile, 'name' | 'log'>,
  parts: Omit<LogWatchParts, 'judge'>,
): LogWatch | undefined {
  if (log.type === 'Folder') return undefined;
  return new LogWatch({ ...parts, judge: (report) => judge(name, log, report) });
}

/** Looks again and again, one look at a time, until the process ends. */
export class LogWatch {
  private readonly parts: LogWatchParts;
  private found: readonly string[] = [];
  private standing: readonly string[] = [];
  private away: readonly string[] = [];

  constructor(parts: LogWatchParts) {
    this.parts = parts;
  }

  /** The faults that two looks have found, one after the other: a server that starts shows some that end. */
  get faults(): readonly string[] {
    return this.standing;
  }

  start(): void {
    this.lookAfter(SOON_MS);
  }

  private lookAfter(ms: number): void {
    this.parts.time.after(ms, () => void this.look().then((next) => this.lookAfter(next)));
  }

  /** Looks once, and gives the wait until the next look. */
  private async look(): Promise<number> {
    const report = await this.parts.report().catch(() => undefined);
    if (report === undefined) return SOON_MS;
    this.noteAway(report);
    const { faults } = this.parts.judge(report);
    this.noteFaults(faults.filter((fault) => this.found.includes(fault)));
    this.found = faults;
    return this.away.length > 0 || faults.length !== this.standing.length ? SOON_MS : AGAIN_MS;
  }

  private noteAway({ servers }: LogReport): void {
    const away = servers.filter(({ found }) => found === undefined).map(({ server }) => server.name);
    for (const name of away) {
      if (!this.away.includes(name))
        this.parts.note('warn', `log server ${name} is away: it is checked when it is back`);
    }
    this.away = away;
  }

  private noteFaults(standing: readonly string[]): void {
    for (const fault of standing) if (!this.standing.includes(fault)) this.parts.note('error', fault);
    if (this.standing.length > 0 && standing.length === 0) this.parts.note('info', 'the log is sound again');
    this.standing = standing;
  }
}
