import assert from 'node:assert/strict';
import type { IstDay } from '../../src/base/time.ts';
import { DAY_END_STEPS } from '../../src/core/broker/settlement/day-end-steps.ts';
import type { EndDay, RollDay } from '../../src/core/command.ts';
import { unasked } from './unasked.ts';
import type { World } from './wire/world.ts';

/** The running day ends, and each of these begins and ends but the last, which begins. */
export function turnDays({ engine }: Pick<World, 'engine'>, days: readonly number[]): void {
  const work = (command: EndDay | RollDay): void => {
    void engine.submit(unasked(command));
    for (let due = engine.state.portion; due !== undefined; due = engine.state.portion)
      void engine.submit(unasked({ ...command, portion: due.number }));
  };
  for (const next of days) {
    const { day } = engine.state;
    for (const step of DAY_END_STEPS) work({ type: 'EndDay', day, step });
    work({ type: 'RollDay', day: next as IstDay });
    assert.equal(engine.state.day, next);
  }
}
