/**
 * The usual strategies as legs around the money: which strikes, which sides, how many lots. The strikes come from the
 * chain; `width` is the number of strikes between two of them.
 */
import type { Side } from '../../../../client/src/generated/operations.ts';
import type { OptionSide, Strike } from '../chain/chain-data.ts';
import { type NewLeg, optionLeg } from './basket.ts';

/** A leg of a template: a strike in widths away from the money, above it when positive. */
interface TemplateLeg {
  readonly side: Side;
  readonly option: OptionSide;
  readonly away: number;
  /** In lots of the strategy. */
  readonly times?: number;
  /** True for the leg of the next expiry. */
  readonly isLater?: true;
}

interface Template {
  readonly title: string;
  readonly legs: readonly TemplateLeg[];
}

const buy = (option: OptionSide, away: number, times = 1): TemplateLeg => ({ side: 'B', option, away, times });
const sell = (option: OptionSide, away: number, times = 1): TemplateLeg => ({ side: 'S', option, away, times });

/** Purchases stand first where they hedge sales: placing them first needs least margin. */
export const TEMPLATES = {
  'long-straddle': { title: 'Straddle, bought', legs: [buy('call', 0), buy('put', 0)] },
  'short-straddle': { title: 'Straddle, sold', legs: [sell('call', 0), sell('put', 0)] },
  'long-strangle': { title: 'Strangle, bought', legs: [buy('call', 1), buy('put', -1)] },
  'short-strangle': { title: 'Strangle, sold', legs: [sell('call', 1), sell('put', -1)] },
  'bull-call': { title: 'Bull spread of calls', legs: [buy('call', 0), sell('call', 1)] },
  'bull-put': { title: 'Bull spread of puts', legs: [buy('put', -1), sell('put', 0)] },
  'bear-put': { title: 'Bear spread of puts', legs: [buy('put', 0), sell('put', -1)] },
  'bear-call': { title: 'Bear spread of calls', legs: [buy('call', 1), sell('call', 0)] },
  condor: { title: 'Iron condor', legs: [buy('put', -2), buy('call', 2), sell('put', -1), sell('call', 1)] },
  'iron-fly': { title: 'Iron butterfly', legs: [buy('put', -1), buy('call', 1), sell('put', 0), sell('call', 0)] },
  butterfly: { title: 'Butterfly of calls', legs: [buy('call', -1), buy('call', 1), sell('call', 0, 2)] },
  calendar: { title: 'Calendar of calls', legs: [{ ...buy('call', 0), isLater: true }, sell('call', 0)] },
} satisfies Readonly<Record<string, Template>>;

export type TemplateName = keyof typeof TEMPLATES;

/** The strikes that a template takes its legs from. */
export interface Strikes {
  readonly expiry: string;
  readonly strikes: readonly Strike[];
}

/** True when a template needs the strikes of the next expiry. */
export function needsLater(name: TemplateName): boolean {
  return templateOf(name).legs.some(({ isLater }) => isLater === true);
}

/**
 * The legs of a template around the strike at `money`, a place of the near strikes. Undefined where the chain lacks one
 * of its strikes.
 */
export function templateLegs(
  name: TemplateName,
  near: Strikes,
  later: Strikes | undefined,
  money: number,
  width: number,
  lots: number,
): readonly NewLeg[] | undefined {
  const legs: NewLeg[] = [];
  for (const { side, option, away, times = 1, isLater } of templateOf(name).legs) {
    const strike = near.strikes[money + away * width];
    const chain = isLater === true ? later : near;
    const row = chain?.strikes.find(({ price }) => price === strike?.price)?.[option];
    if (row === undefined || chain === undefined) return undefined;
    legs.push(optionLeg(row, side, chain.expiry, String(lots * times)));
  }
  return legs;
}

function templateOf(name: TemplateName): Template {
  return TEMPLATES[name];
}
