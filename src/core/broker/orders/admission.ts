/**
 * Admission: the checks that an order passes before the exchange matches it, in their published order. The checks
 * themselves are in `order-checks.ts`, `risk-checks.ts`, `margin-checks.ts` and `guard-checks.ts`.
 */

import type { OrderNumber } from '../../../base/ids.ts';
import type { AdmittedOrder } from '../../exchange/matching/admitted-order.ts';
import { isDerivative, marginGroup } from '../../instrument.ts';
import { isStop } from '../../order.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { inGroupOf } from '../account/risk-group.ts';
import type { CheckTrace } from '../trials/check-trace.ts';
import { insideProtection, withinStopGap } from './guard-checks.ts';
import { marginThere, paidFromCash } from './margin-checks.ts';
import {
  aboveFilled,
  belowValueCap,
  dayRecorded,
  enabledForClient,
  immediateInRiskReduction,
  insideBand,
  limitAgainstTrigger,
  lotMultiple,
  notKilled,
  notStopped,
  phaseTakesIt,
  priceOnTick,
  productEnabled,
  referenceKnown,
  tradable,
  triggerNotCrossed,
  triggerOnTick,
  withinFreeze,
} from './order-checks.ts';
import { type Check, type OrderWish, unitsOf } from './order-wish.ts';
import {
  beforeSquareOff,
  intradayAllowed,
  notDeliveredToday,
  outsideBan,
  roomToWait,
  sharesHeld,
} from './risk-checks.ts';

/** One check of the published order. */
export interface OrderCheck {
  /** The condition that holds when the check passes. */
  readonly name: string;
  /** The rule that it comes from. */
  readonly source: string;
  readonly ask: Check;
  /** The orders that it is about; of others it is asked only for a trace, and passes. Absent: all orders. */
  readonly of?: Concern;
  /**
   * Asked for clients' orders alone: the check must not stop an order of the risk desk that squares a position off.
   */
  readonly clientsOnly?: true;
  /**
   * Asked also when an order is taken that waits at the broker for a session. All checks are asked when it goes to the
   * exchange.
   */
  readonly atIntake?: true;
  /**
   * The choice that the check judges alone, whatever the quantity, the price and the money: the product, the price type
   * with the retention, or whether orders come in at all. Absent from checks of figures.
   */
  readonly judges?: Choice;
}

export type Choice = 'product' | 'terms' | 'entry';

const CONCERNS = ['stops', 'contracts', 'modifications', 'waiting orders'] as const;
type Concern = (typeof CONCERNS)[number];

/**
 * The checks of the risk desk and of the exchange, in the order of asking; the first refusal is the answer. The door
 * has already checked shape, session and symbol. Source: market-rules R3.5 (rows 5 to 19), contract W6.
 */
export const ORDER_CHECKS: readonly OrderCheck[] = [
  {
    name: 'the product is enabled on the exchange',
    source: 'R3.3',
    ask: productEnabled,
    of: 'contracts',
    atIntake: true,
    judges: 'product',
  },
  {
    name: 'the product and the exchange are enabled for the client',
    source: 'R3.5',
    ask: enabledForClient,
    clientsOnly: true,
    atIntake: true,
    judges: 'product',
  },
  { name: 'the instrument can be traded', source: 'R1.2', ask: tradable, atIntake: true, judges: 'product' },
  {
    name: 'trading is not blocked',
    source: 'R9.6',
    ask: notKilled,
    clientsOnly: true,
    atIntake: true,
    judges: 'entry',
  },
  {
    name: 'the instrument is not suspended and its market is not halted',
    source: 'R3.27',
    ask: notStopped,
    judges: 'entry',
  },
  {
    name: 'the market has the instrument on that day',
    source: 'R3.27',
    ask: dayRecorded,
    atIntake: true,
    judges: 'entry',
  },
  { name: 'the phase of the market takes the order', source: 'R2.5', ask: phaseTakesIt, judges: 'terms' },
  {
    name: 'a modified quantity is above what is filled',
    source: 'R3.19',
    ask: aboveFilled,
    of: 'modifications',
    atIntake: true,
  },
  {
    name: 'the limit is not worse than the trigger',
    source: 'R3.13',
    ask: limitAgainstTrigger,
    of: 'stops',
    atIntake: true,
  },
  { name: 'the trigger is not crossed yet', source: 'R3.12', ask: triggerNotCrossed, of: 'stops' },
  { name: 'the limit is near the trigger', source: 'R1.48', ask: withinStopGap, of: 'stops', atIntake: true },
  { name: 'the quantity is whole lots', source: 'R1.22', ask: lotMultiple, atIntake: true },
  { name: 'the quantity is within the freeze quantity', source: 'R1.28', ask: withinFreeze, atIntake: true },
  { name: 'the price is on the tick', source: 'R1.19', ask: priceOnTick, atIntake: true },
  { name: 'the trigger is on the tick', source: 'R1.19', ask: triggerOnTick, of: 'stops', atIntake: true },
  { name: 'the market gives a reference for a market order', source: 'R3.10', ask: referenceKnown },
  { name: 'price and trigger are inside the band', source: 'R1.41', ask: insideBand },
  {
    name: 'a cash order is not above the value cap',
    source: 'R3.5',
    ask: belowValueCap,
    clientsOnly: true,
    atIntake: true,
  },
  {
    name: 'an intraday order after the square-off only reduces',
    source: 'R2.26',
    ask: beforeSquareOff,
    clientsOnly: true,
  },
  { name: 'a banned underlying is only reduced', source: 'R4.36', ask: outsideBan, of: 'contracts', clientsOnly: true },
  {
    name: 'no purchase opens an option that is delivered today',
    source: 'R7.4',
    ask: notDeliveredToday,
    of: 'contracts',
    clientsOnly: true,
  },
  { name: 'a delivery sale has the shares', source: 'R5.20', ask: sharesHeld },
  {
    name: 'the share may be traded intraday',
    source: 'R1.5',
    ask: intradayAllowed,
    clientsOnly: true,
    atIntake: true,
    judges: 'product',
  },
  { name: 'premium and deliveries are paid from cash', source: 'R4.25', ask: paidFromCash, clientsOnly: true },
  { name: 'the margin is there', source: 'R4.27', ask: marginThere, clientsOnly: true },
  { name: 'a limit is inside the limit price protection', source: 'R1.46', ask: insideProtection, of: 'contracts' },
  {
    name: 'an order in risk reduction mode is immediate',
    source: 'R9.6',
    ask: immediateInRiskReduction,
    clientsOnly: true,
    judges: 'terms',
  },
  {
    name: 'the account has room for another order that waits',
    source: 'R2.18',
    ask: roomToWait,
    of: 'waiting orders',
    atIntake: true,
  },
];

/** The first refusal, and the check that it came from. */
interface Refused {
  readonly refusal: Refusal;
  readonly check: Pick<OrderCheck, 'name' | 'source'>;
}

/** The result of admission: the order as matching takes it, or the refusal. */
export type Admission = Refused | { readonly refusal?: never; readonly admitted: AdmittedOrder };

/** Judges a wish under its number. This is the only place where an order is declared admitted. */
export function admit(wish: OrderWish, order: OrderNumber): Admission {
  const refused = askInTurn(wish);
  if (refused !== undefined) return { ...refused, refusal: inGroupOf(wish.account, refused.refusal) };
  const { account, instrument, side, product, terms } = wish;
  const remaining = unitsOf(wish);
  const { kind } = instrument;
  const group = marginGroup(instrument);
  const admitted = {
    order,
    account: account.id,
    instrument: instrument.id,
    kind,
    group,
    side,
    product,
    terms,
    remaining,
    squareOff: wish.squareOff === true,
  };
  const { scenario } = wish;
  return { admitted: (scenario === undefined ? admitted : { ...admitted, scenario }) as AdmittedOrder };
}

/** The first refusal in the published order of the checks, or nothing. A trace gets every check. */
export function judge(wish: OrderWish, trace?: CheckTrace): Refusal | undefined {
  return askInTurn(wish, trace)?.refusal;
}

function askInTurn(wish: OrderWish, trace?: CheckTrace): Refused | undefined {
  const { waitsFor, squareOff } = wish;
  let refused: Refused | undefined;
  const asked = trace === undefined ? askedOf(wish) : ASKED;
  for (let i = 0; i < asked.length; i += 1) {
    const { name, source, ask, clientsOnly, atIntake } = asked[i] as Asked;
    if (refused !== undefined || (waitsFor !== undefined && !atIntake) || (clientsOnly && squareOff)) {
      trace?.unasked(name, source);
      continue;
    }
    const refusal = ask(wish, trace);
    trace?.answered(name, source, refusal);
    if (refusal === undefined) continue;
    refused = { refusal, check: { name, source } };
    if (trace === undefined) return refused;
  }
  return refused;
}

/**
 * The first refusal of a client's wish by the checks that judge one choice, or nothing. Checks of figures are not
 * asked.
 */
export function refusalOf(choice: Choice, wish: OrderWish): Refusal | undefined {
  for (const { ask, judges, atIntake } of ORDER_CHECKS) {
    if (judges !== choice || (wish.waitsFor !== undefined && atIntake !== true)) continue;
    const refusal = ask(wish);
    if (refusal !== undefined) return inGroupOf(wish.account, refusal);
  }
  return undefined;
}

/** The checks as they are asked. All have the same shape, because every order runs through them and that is faster. */
type Asked = Pick<OrderCheck, 'name' | 'source' | 'ask'> & {
  readonly clientsOnly: boolean;
  readonly atIntake: boolean;
};

const ASKED: readonly Asked[] = ORDER_CHECKS.map(askedFor);

function askedFor({ name, source, ask, clientsOnly, atIntake }: OrderCheck): Asked {
  return { name, source, ask, clientsOnly: clientsOnly === true, atIntake: atIntake === true };
}

/** The checks to ask of an order by its concerns, each of which is a bit of the index. */
const ASKED_BY_CONCERNS: readonly (readonly Asked[])[] = Array.from({ length: 1 << CONCERNS.length }, (_, concerns) =>
  ORDER_CHECKS.filter(({ of }) => of === undefined || (concerns & bitOf(of)) !== 0).map(askedFor),
);

function bitOf(concern: Concern): number {
  return 1 << CONCERNS.indexOf(concern);
}

const STOPS = bitOf('stops');
const CONTRACTS = bitOf('contracts');
const MODIFICATIONS = bitOf('modifications');
const WAITING = bitOf('waiting orders');

/** The checks that concern this order. A plain purchase of a share passes through two thirds of the list. */
function askedOf({ terms, instrument, current, waitsFor }: OrderWish): readonly Asked[] {
  const stops = isStop(terms) ? STOPS : 0;
  const contracts = isDerivative(instrument) ? CONTRACTS : 0;
  const modifications = current === undefined ? 0 : MODIFICATIONS;
  const waiting = waitsFor === undefined ? 0 : WAITING;
  return ASKED_BY_CONCERNS[stops | contracts | modifications | waiting] as readonly Asked[];
}
