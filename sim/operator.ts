import { EXCHANGES } from '../src/base/ids.ts';
import type { Paise, Price } from '../src/base/money.ts';
import { quantity } from '../src/base/money.ts';
import type { IstDay } from '../src/base/time.ts';
import type { Account } from '../src/core/account.ts';
import type { Command } from '../src/core/command.ts';
import type { SwitchTarget } from '../src/core/switches/switch.ts';
import { ALPHA, ALPHA_BSE, BETA, CASH, GAMMA, INDEX } from './listed.ts';
import type { Scene } from './wishes.ts';

const BY = 'simulated operator';
const WHY = 'to see what happens';

/**
 * An operator's next action: one command, often enough to be seen in every run of some length, seldom enough that
 * trading goes on.
 */
export function operatorCommand(scene: Scene): Command {
  const { random, state } = scene;
  const [lifted] = state.switches.values();
  if (lifted !== undefined && random.chance(60)) {
    return { type: 'SetSwitch', target: lifted.target, on: false, by: BY, why: WHY };
  }
  const account = random.pick([...state.accounts]);
  const draw = random.below(100);
  if (draw < 45) return money(scene, account);
  if (draw < 65) return shares(scene, account);
  if (draw < 78) return { type: 'SetSwitch', target: target(scene, account), on: true, by: BY, why: WHY };
  if (draw < 86) {
    return { type: 'SetBan', underlying: random.pick([INDEX.id, ALPHA.id]), banned: random.chance(40), by: BY };
  }
  if (draw < 91) {
    const instrument = random.pick(scene.traded).id;
    return { type: 'WidenBand', instrument, percent: random.between(5, 25), by: BY, why: WHY };
  }
  return corporateAction(scene);
}

function money({ random }: Scene, { id: account }: Account): Command {
  if (random.chance(60)) {
    return { type: 'DepositCash', account, amount: random.between(0, 50_000_00) as Paise, opening: random.chance(50) };
  }
  const amount = random.chance(50) ? random.between(0, 20_000_00) : random.between(0, 100_000_000_00);
  return { type: 'PayOutCash', account, amount: amount as Paise };
}

/** Gives shares back that are pledged, most often all of them. */
function release({ random, state }: Scene): Command | undefined {
  for (const { id: account, holdings } of state.accounts) {
    for (const { pledged, instrument } of holdings.values()) {
      if (pledged === 0 || random.chance(30)) continue;
      const units = quantity(random.chance(70) ? pledged : random.between(0, 80));
      return { type: 'ReleaseShares', account, instrument, quantity: units };
    }
  }
  return undefined;
}

function shares(scene: Scene, account: Account): Command {
  const { random } = scene;
  const instrument = random.pick(CASH);
  if (random.chance(30)) {
    const units = random.between(0, 300);
    const cost = (units * 300_00) as Paise;
    return { type: 'CreditHolding', account: account.id, instrument: instrument.id, quantity: quantity(units), cost };
  }
  if (random.chance(50)) {
    const released = release(scene);
    if (released !== undefined) return released;
  }
  const units = random.between(0, 400);
  return { type: 'PledgeShares', account: account.id, instrument: instrument.id, quantity: quantity(units) };
}

function target({ random, traded }: Scene, { id: account }: Account): SwitchTarget {
  const instrument = random.pick(traded).id;
  switch (random.below(12)) {
    case 0:
      return { kind: 'FullKill' };
    case 1:
      return { kind: 'RiskReduction', exchange: random.pick(EXCHANGES) };
    case 2:
      return { kind: 'Halt', exchange: random.pick(EXCHANGES) };
    case 3:
    case 4:
    case 5:
      return { kind: 'InstrumentKill', instrument };
    case 6:
    case 7:
    case 8:
      return { kind: 'AccountKill', account };
    default:
      return { kind: 'Suspension', instrument };
  }
}

/** Of a share with contracts only a small dividend, which leaves its contracts as they are. */
function corporateAction(scene: Scene): Command {
  const { random, state } = scene;
  const announced = state.corporateActions.find(({ exDay }) => exDay > state.day);
  if (announced !== undefined && random.chance(30)) {
    return { type: 'WithdrawCorporateAction', isin: announced.isin, exDay: announced.exDay };
  }
  const exDay = (state.day + random.between(0, 4)) as IstDay;
  if (random.chance(40)) {
    const listings = [ALPHA.id, ALPHA_BSE.id] as const;
    const dividend = random.between(0, 8_00) as Price;
    return { type: 'AnnounceCorporateAction', kind: 'dividend', listings, exDay, before: 1, after: 1, dividend };
  }
  const kind = random.pick(['split', 'bonus'] as const);
  const listings = [random.pick([BETA.id, GAMMA.id])] as const;
  const [before, after] = random.pick([
    [1, 2],
    [1, 3],
    [2, 3],
    [5, 6],
    [3, 2],
  ] as const);
  return { type: 'AnnounceCorporateAction', kind, listings, exDay, before, after, dividend: 0 as Price };
}
