/**
 * The figures of the service in the form of Prometheus. The figures themselves are in `engine-figures.ts` and
 * `socket-figures.ts`.
 */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@platformatic/prom-client';

/** One figure of the engine. */
export interface Metric {
  /** In the manner of Prometheus: `sauda_journal_records_total`. Those that end in `_total` only grow. */
  readonly name: string;
  readonly help: string;
  /** Asked at every scrape. */
  readonly value: () => number | Promise<number>;
}

/** Several counts of one kind, such as those of each reason. */
interface FigureByReason {
  readonly name: string;
  readonly help: string;
  /** Asked at every scrape: the count of each reason. They only grow. */
  readonly values: () => Readonly<Record<string, number>>;
}

/** How long something took, as counts by upper bounds. */
interface FigureOfTimes {
  /** Ends in `_seconds`. */
  readonly name: string;
  readonly help: string;
  /** Upper bounds of the counts, in seconds, ascending. */
  readonly bounds: readonly number[];
  /** Asked at every scrape: the count of each bound alone, then that above all bounds; and the sum, in seconds. */
  readonly times: () => { readonly counts: readonly number[]; readonly sum: number };
}

export type MetricFigure = Metric | FigureByReason | FigureOfTimes;

/** Figures of the process and of the engine for Prometheus. */
export function createMetrics(figures: readonly MetricFigure[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const figure of figures) {
    if ('times' in figure) registry.registerMetric(new Times(figure));
    else if ('values' in figure) addCounters(registry, figure);
    else if (figure.name.endsWith('_total')) addCounter(registry, figure);
    else addGauge(registry, figure);
  }
  return registry;
}

function addGauge(registry: Registry, { name, help, value }: Metric): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => gauge.set(await value()),
  });
}

function addCounter(registry: Registry, { name, help, value }: Metric): void {
  const counter: Counter = new Counter({
    name,
    help,
    registers: [registry],
    collect: async () => {
      const now = await value();
      counter.reset();
      counter.inc(now);
    },
  });
}

function addCounters(registry: Registry, { name, help, values }: FigureByReason): void {
  const counter: Counter<'reason'> = new Counter({
    name,
    help,
    labelNames: ['reason'],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [reason, count] of Object.entries(values())) counter.inc({ reason }, count);
    },
  });
}

/** A histogram of counts that are kept elsewhere. */
class Times extends Histogram<'le'> {
  private readonly figure: FigureOfTimes;

  constructor(figure: FigureOfTimes) {
    super({ name: figure.name, help: figure.help, buckets: [...figure.bounds], registers: [] });
    this.figure = figure;
    // The package sets both as fields of each histogram.
    Object.assign(this, { get: () => this.shown(), getForPromString: () => this.shown() });
  }

  private shown() {
    const { name, help, bounds, times } = this.figure;
    const { counts, sum } = times();
    let total = 0;
    const values = counts.map((count, place) => {
      total += count;
      return { metricName: `${name}_bucket`, labels: { le: bounds[place] ?? '+Inf' }, value: total };
    });
    const rest = [
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: total },
    ];
    return { name, help, type: 'histogram', aggregator: 'sum', values: [...values, ...rest] };
  }
}
