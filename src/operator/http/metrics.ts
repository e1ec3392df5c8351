/**
 * The figures of the service in the form of Prometheus. The figures themselves are in `engine-figures.ts` and
 * `socket-figures.ts`.
 */

import { Counter, collectDefaultMetrics, Gauge, Registry } from '@platformatic/prom-client';

/** One figure of the engine. */
export interface Figure {
  /** In the manner of Prometheus: `sauda_journal_records_total`. Those that end in `_total` only grow. */
  readonly name: string;
  readonly help: string;
  /** Asked at every scrape. */
  readonly value: () => number | Promise<number>;
}

/** Several counts of one kind, such as those of each reason. */
export interface FigureByReason {
  readonly name: string;
  readonly help: string;
  /** Asked at every scrape: the count of each reason. They only grow. */
  readonly values: () => Readonly<Record<string, number>>;
}

/** Figures of the process and of the engine for Prometheus. */
export function createMetrics(figures: readonly (Figure | FigureByReason)[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const figure of figures) {
    if ('values' in figure) addCounters(registry, figure);
    else if (figure.name.endsWith('_total')) addCounter(registry, figure);
    else addGauge(registry, figure);
  }
  return registry;
}

function addGauge(registry: Registry, { name, help, value }: Figure): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => gauge.set(await value()),
  });
}

function addCounter(registry: Registry, { name, help, value }: Figure): void {
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
