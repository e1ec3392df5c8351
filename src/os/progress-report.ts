/**
 * Shows people how far long work is: a bar on a terminal, lines elsewhere. Work that is done within a second shows
 * nothing. It writes to standard error, so output that programs read stays clean.
 */
import type { BeginPart } from './progress.ts';

/** Where a report is written: standard error. */
export interface ReportStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Nothing is shown before this time has passed, in ms. */
const QUIET_MS = 1_000;
/** The times between two pictures of a bar, and between two lines, in ms. */
const BAR_MS = 100;
const LINE_MS = 5_000;
const BAR_CELLS = 24;
const USUAL_COLUMNS = 80;
const ERASE_LINE = '\r\x1b[K';

/** The report on the parts of one command or one start. */
export class ProgressReport {
  private readonly to: ReportStream;
  private readonly monotonic: () => number;
  private next: number;
  private isBarShown = false;

  /** `monotonic` gives the time in ms. */
  constructor(to: ReportStream, monotonic: () => number = () => performance.now()) {
    this.to = to;
    this.monotonic = monotonic;
    this.next = monotonic() + QUIET_MS;
  }

  /** Begins a part of the work. A part that has reached its end takes its bar away. */
  readonly begin: BeginPart = (what, unit) => {
    const begun = this.monotonic();
    return (done, of) => {
      if (done >= of) this.end();
      else this.show({ what, unit, done, of, tookMs: this.monotonic() - begun });
    };
  };

  /** Takes the bar away, so that other output starts on a blank line. */
  end(): void {
    if (this.isBarShown) this.to.write(ERASE_LINE);
    this.isBarShown = false;
  }

  private show(reached: Reached): void {
    const { to } = this;
    const now = this.monotonic();
    if (now < this.next) return;
    this.next = now + (to.isTTY ? BAR_MS : LINE_MS);
    this.isBarShown = to.isTTY ?? false;
    to.write(to.isTTY ? ERASE_LINE + bar(reached, to.columns) : `${line(reached)}\n`);
  }
}

/** Does work that reports how far it is, and leaves a blank line behind also when the work throws. */
export function reporting<T>(to: ReportStream, work: (begin: BeginPart) => T): T {
  const report = new ProgressReport(to);
  try {
    return work(report.begin);
  } finally {
    report.end();
  }
}

interface Reached {
  readonly what: string;
  readonly unit: string;
  readonly done: number;
  readonly of: number;
  readonly tookMs: number;
}

/** One column stays free: a character in the last one makes some terminals wrap. */
function bar(reached: Reached, columns = USUAL_COLUMNS): string {
  const { what, done, of } = reached;
  const full = Math.floor((BAR_CELLS * done) / of);
  const cells = '#'.repeat(full) + '.'.repeat(BAR_CELLS - full);
  return `${what} [${cells}] ${share(reached)}`.slice(0, columns - 1);
}

function line(reached: Reached): string {
  const { what, unit, done, of } = reached;
  return `sauda: ${what}: ${done} of ${of} ${unit}, ${share(reached)}`;
}

/** The percentage, and the seconds that the rest takes at the pace up to now. */
function share({ done, of, tookMs }: Reached): string {
  const percent = `${Math.floor((100 * done) / of)} %`;
  return done === 0 ? percent : `${percent}, ${Math.ceil((tookMs * (of - done)) / done / 1000)} s left`;
}
