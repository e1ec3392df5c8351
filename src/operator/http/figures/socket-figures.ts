import type { Metric, MetricFigure } from './metrics.ts';

/** The counts of the gateway's sockets. */
export interface SocketCounts {
  /** Sockets that are open now. */
  readonly open: number;
  /** Subscriptions to instruments now, and the instruments that they are to. */
  readonly subscriptions: number;
  readonly instruments: number;
  /** Bytes that wait for clients now. */
  readonly waitingBytes: number;
  /** Since the start: texts to clients, their bytes, and texts of clients. */
  readonly frames: number;
  readonly bytes: number;
  readonly received: number;
  /** Since the start: prices that were not sent since a later one came while the client read slowly. */
  readonly conflated: number;
  /** Since the start: how long events of users took from durable to written, by upper bounds. */
  readonly delays: { readonly boundsMs: readonly number[]; readonly counts: readonly number[]; readonly sumMs: number };
  /** Since the start: sockets that were cut off, by reason. */
  readonly cutOff: Readonly<Record<string, number>>;
}

/** The figures of the sockets. `boundsMs`: the upper bounds of their delays. */
export function socketFigures(boundsMs: readonly number[], counts: () => SocketCounts): MetricFigure[] {
  const figure = (name: string, help: string, value: Metric['value']): Metric => {
    return { name: `sauda_sockets${name}`, help, value };
  };
  return [
    figure('', 'Open sockets.', () => counts().open),
    figure('_subscriptions', 'Subscriptions of sockets to instruments.', () => counts().subscriptions),
    figure('_instruments', 'Instruments that sockets watch.', () => counts().instruments),
    figure('_waiting_bytes', 'Bytes that wait for the clients of sockets.', () => counts().waitingBytes),
    figure('_frames_total', 'Texts that were sent on sockets.', () => counts().frames),
    figure('_bytes_total', 'Bytes that were sent on sockets.', () => counts().bytes),
    figure('_received_total', 'Texts that came on sockets.', () => counts().received),
    figure('_conflated_total', 'Prices that slow sockets were not sent.', () => counts().conflated),
    {
      name: 'sauda_sockets_event_delay_seconds',
      help: "Frames of users' own events, from durable to written.",
      bounds: boundsMs.map((bound) => bound / 1_000),
      times: () => {
        const { delays } = counts();
        return { counts: delays.counts, sum: delays.sumMs / 1_000 };
      },
    },
    {
      name: 'sauda_sockets_cut_off_total',
      help: 'Sockets that were cut off.',
      values: () => counts().cutOff,
    },
  ];
}
