import { Counter, collectDefaultMetrics, Gauge, Registry } from '@platformatic/prom-client';

/** One figure of the engine at the moment of a scrape. */
export interface Figure {
  /** In the manner of Prometheus: `sauda_journal_records_total`. */
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

/**
 * Figures of the process and of the engine for Prometheus. `read` is asked at every scrape and names the same figures each
 * time; those that end in `_total` only grow.
 */
export function createMetrics(read: () => readonly Figure[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name, help } of read()) {
    const value = (): number => read().find((figure) => figure.name === name)?.value ?? 0;
    if (name.endsWith('_total')) addCounter(registry, name, help, value);
    else addGauge(registry, name, help, value);
  }
  return registry;
}

function addGauge(registry: Registry, name: string, help: string, value: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(value()) });
}

function addCounter(registry: Registry, name: string, help: string, value: () => number): void {
  const counter: Counter = new Counter({
    name,
    help,
    registers: [registry],
    collect: () => {
      counter.reset();
      counter.inc(value());
    },
  });
}
