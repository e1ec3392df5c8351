/** The engine of a member that does not lead yet, for the parts that are made before it does. */
import { must } from '../../base/assert.ts';
import type { RunningEngine } from '../../engine/start-engine.ts';

/**
 * Stands for the engine that `made` gives, once it gives one. Until then every question of it throws `InvariantError`:
 * nobody reaches these parts before the member leads.
 */
export function laterEngine(
  recovered: RunningEngine['recovered'],
  made: () => RunningEngine | undefined,
): RunningEngine {
  const running = (): RunningEngine => must(made(), 'the engine of a member that leads');
  return {
    engine: later(() => running().engine),
    recovered,
    head: () => running().head(),
    letTimePass: () => running().letTimePass(),
    stop: () => running().stop(),
  };
}

/** An object whose methods and fields are those of another one, which is made later. */
export function later<T extends object>(made: () => T): T {
  return new Proxy({} as T, {
    get: (_nothing, name) => {
      const target = made();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
