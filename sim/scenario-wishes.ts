import type { Account } from '../src/core/account.ts';
import type { Command } from '../src/core/command.ts';
import { SCENARIO_EFFECTS, termsOf } from '../src/core/scenarios/rules/scenario-effect.ts';
import type { Scene } from './wishes.ts';

const GROUNDS = { by: 'simulated operator', why: 'to see what happens' };

/** The next act on rules of outcomes: one is set, used or removed, now and then one that cannot be. */
export function scenarioCommand(scene: Scene, account: Account): Command {
  const { random, state } = scene;
  const known = [...state.scenarioRules.keys()];
  const draw = random.below(100);
  if (known.length === 0 || draw < 50) return setting(scene, account);
  const rule = random.chance(95) ? random.pick(known) : 1;
  if (draw >= 92) return { type: 'ClearScenarios', ...(random.chance(85) && { rule }), ...GROUNDS };
  const [tokenDigest] = account.sessions;
  return {
    type: 'UseScenario',
    rule,
    operation: 'placeOrder',
    ...(random.chance(80) && { account: account.id }),
    ...(tokenDigest !== undefined && { tokenDigest }),
  };
}

/** Most often on the market of an instrument that trades much, for some seconds or minutes. */
function setting({ random, traded }: Scene, { id }: Account): Command {
  const onMarket = ['halted', 'upper-circuit', 'lower-circuit'] as const;
  const effect = random.chance(60) ? random.pick(onMarket) : random.pick(SCENARIO_EFFECTS);
  const { place, value } = termsOf(effect);
  const isWrong = random.chance(8);
  return {
    type: 'SetScenario',
    effect,
    value: value === undefined || isWrong ? 0 : random.between(1, 120),
    count: place === 'market' ? 1 : random.between(1, 4),
    ...(place === 'market' ? { instrument: random.pick(traded).id } : random.chance(50) && { account: id }),
    ...(place === 'request' && random.chance(20) && { operation: 'login' }),
    ...GROUNDS,
  };
}
