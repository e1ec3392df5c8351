import type { Quantity } from '../src/base/money.ts';
import type { Random } from '../src/base/random.ts';
import type { Command, PlaceOrder } from '../src/core/command.ts';
import type { OrderScenario } from '../src/core/scenarios/order-scenario.ts';
import type { Scene, Wish } from './wishes.ts';

/** Any outcome that remarks can ask for, also words together, of an order of this quantity. */
function scenarioFor(random: Random, quantity: number, lot: number): OrderScenario {
  const lots = Math.max(1, Math.floor(quantity / lot));
  const delays = {
    ...(random.chance(25) && { ackDelay: random.between(1, 90_000) }),
    ...(random.chance(10) && { duplicateFrame: true as const }),
  };
  const later = {
    ...(random.chance(35) && { cancelAfter: random.between(1, 120_000) }),
    ...(random.chance(30) && { lateFill: random.pick([0, 1, 900, 45_000]) }),
  };
  switch (random.below(6)) {
    case 0:
      return { reject: 'Not today', ...delays };
    case 1:
      return { fill: (lot * random.between(1, lots)) as Quantity, ...later, ...delays };
    case 2:
      return { fillPercent: random.between(1, 99), fills: random.between(1, 5), ...later, ...delays };
    case 3:
      return { fills: random.between(1, 9), ...delays };
    case 4:
      return { cancelAfter: random.between(1, 120_000), ...delays };
    default:
      return { ...later, hold: true, ...delays };
  }
}

function isPlacement(command: Command): command is PlaceOrder {
  return command.type === 'PlaceOrder';
}

/** Asks for an outcome with an order of any kind. */
export function onDemand(wishes: readonly Wish[]): Wish {
  return (scene, account) =>
    scene.random
      .pick(wishes)(scene, account)
      .map((command) => withOutcome(scene, command));
}

/** A placement with an outcome in place of the one that it has; other commands as they are. */
export function withOutcome(scene: Scene, command: Command): Command {
  if (!isPlacement(command)) return command;
  const lot = scene.instrumentOf(command.instrument)?.lot ?? 1;
  return { ...command, scenario: scenarioFor(scene.random, command.terms.quantity, lot) };
}
