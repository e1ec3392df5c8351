/**
 * Placements for one member or service: a closed loop over several connections, for the rate, and one request after the
 * other with pauses between them, for the time of one. It runs in a process of its own, which prints its figures.
 */
import { connect } from 'node:net';

/** The plan of a load. */
export interface OrderLoad {
  readonly port: number;
  /** The text of the request, which goes out again and again. */
  readonly request: string;
  readonly connections: number;
  readonly seconds: number;
  /** The pause between an answer and the next request of a connection, in milliseconds. */
  readonly pauseMs: number;
}

/** The figures of a load. */
export interface LoadFigures {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Placements that were refused because too many came, and were sent again after a pause. */
  readonly refused: number;
  /** The first answer that was neither; nothing when there was none. */
  readonly failure?: string;
}

const WARM_UP_MS = 500;
const REFUSED_PAUSE_MS = 100;

/** Runs a load, and prints its figures as JSON. */
function run({ port, request, connections, seconds, pauseMs }: OrderLoad): void {
  const bytes = Buffer.from(request);
  const took: number[] = [];
  const from = performance.now() + WARM_UP_MS;
  let refused = 0;
  let failure: string | undefined;
  const dial = (): void => {
    let began = 0;
    let pending = '';
    const socket = connect(port, '127.0.0.1', () => send());
    const send = (): void => {
      began = performance.now();
      socket.write(bytes);
    };
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      pending += chunk;
      if (!isWhole(pending)) return;
      const status = pending.slice(9, 12);
      if (status === '503') refused += 1;
      else if (status !== '200') failure ??= pending;
      else if (began >= from) took.push(performance.now() - began);
      pending = '';
      const wait = status === '503' ? REFUSED_PAUSE_MS : pauseMs;
      if (wait === 0) send();
      else setTimeout(send, wait);
    });
  };
  for (let count = 0; count < connections; count += 1) dial();
  setTimeout(
    () => {
      const length = (performance.now() - from) / 1_000;
      const sorted = took.sort((a, b) => a - b);
      const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
      console.log(JSON.stringify({ perSecond: sorted.length / length, p50: at(0.5), p99: at(0.99), refused, failure }));
      process.exit(0);
    },
    WARM_UP_MS + seconds * 1_000,
  );
}

function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(answer.slice(0, headEnd))?.[1];
  return headEnd >= 0 && answer.length >= headEnd + 4 + Number(length);
}

if (import.meta.main) run(JSON.parse(process.argv[2] ?? '{}') as OrderLoad);
