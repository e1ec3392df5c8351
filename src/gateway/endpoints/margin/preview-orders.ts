/**
 * The operation `/previewOrders`: the treatment of orders that are not placed. Each is judged as placing would judge it
 * after those before it; margins are those of `basketMargin`. The work comes in slices, since 50 orders take many
 * measures.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import { type Paise, ZERO_PAISE } from '../../../base/money.ts';
import { istDay } from '../../../base/time.ts';
import type { Account } from '../../../core/account.ts';
import { availableMargin, marginUsed } from '../../../core/broker/account/funds.ts';
import {
  type MeasuredOrder,
  measuredOrder,
  neverPlaced,
  orderMargin,
} from '../../../core/broker/trials/basket-margin.ts';
import { type PlacingOrder, placingOrders, type TriedWay } from '../../../core/broker/trials/least-peak.ts';
import { OrderPreview } from '../../../core/broker/trials/order-preview.ts';
import { roundToPaisa, sumOf } from '../../../core/charges/exact-amount.ts';
import { chargesOf, type OrderCharges } from '../../../core/charges/order-charges.ts';
import type { PlaceOrder } from '../../../core/command.ts';
import { marginGroup } from '../../../core/instrument.ts';
import type { DecisionPorts } from '../../../core/ports.ts';
import { accountOf, type State } from '../../../core/state.ts';
import type { Views } from '../../../views/views.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, integer, listOf, plain, rupees, t1 } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, operation, success } from '../../operation.ts';
import { ORDER_FIELDS, placementsOf } from '../orders/placement.ts';
import { type AskedOrder, chargedTrade, type Judged, judgeInSlices } from './preview-judgement.ts';
import { warningsOf } from './preview-warnings.ts';

/** Source: contract W14. */
const MOST_ORDERS = 50;
const INVALID = `orders must be an array of 1 to ${MOST_ORDERS} orders`;

const { remarks: _remarks, strategyId: _strategy, deviceId: _device, ...PREVIEW_FIELDS } = ORDER_FIELDS;

const request = Type.Object({
  ...SIGNED_IN,
  orders: Type.Array(Type.Object(PREVIEW_FIELDS), { maxItems: MOST_ORDERS, 'x-invalid': INVALID }),
});
type Fields = Static<typeof request>;

const ROW = Type.Object({
  outcome: plain('^(admitted|refused)$'),
  check: anyText('the check that refuses; blank when admitted'),
  rule: plain('^(R[0-9]+\\.[0-9]+)?$', 'the rule of that check'),
  reason: anyText('the words of the refusal; blank when admitted'),
  price: plain('^[0-9]+\\.[0-9]{2}$', 'the limit, or the protected price'),
  filled: plain('^(0|[1-9][0-9]*)$', 'units that trade at once'),
  marginAlone: rupees,
  charges: rupees,
  warnings: listOf(anyText()),
  slices: plain('^[1-9][0-9]*$', 'the number of orders that placeOrder makes of it'),
});

const answer = success(
  'Orders previewed',
  Type.Object({
    orders: listOf(ROW),
    margin: rupees,
    sumAlone: rupees,
    peak: rupees,
    bestOrder: listOf(integer),
    bestPeak: rupees,
    charges: rupees,
    availableMargin: rupees,
    availableAfter: rupees,
    marginUsed: rupees,
    marginUsedAfter: rupees,
    blocked: rupees,
    requestTime: t1,
  }),
);

/** An operation of our own. Source: market-rules R3.5, R4.27, R4.33. */
export const previewOrders = operation({
  path: '/previewOrders',
  summary: 'Checks, margins, charges and funds of orders that are not placed',
  request,
  rate: 'other',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const orders = fields.orders.map((order) => ({ ...order, remarks: '' }));
    const placements = placementsOf(deps, orders, caller);
    return 'status' in placements ? placements : preview(deps, placements, fields, caller);
  },
});

/**
 * A long list takes several turns, between which the market and the account may move on. The answer leaves when all
 * that it saw is durable.
 */
async function preview(
  deps: GatewayParts,
  placements: readonly PlaceOrder[],
  { userId }: Fields,
  { account, from }: Caller,
): Promise<Answer> {
  const orders = placements.map((placement) => {
    return { placement, instrument: must(deps.instruments.get(placement.instrument), 'it was found') };
  });
  const work = await deps.engine.read((state, views, ports) =>
    measure(deps, { state, views, ports, account: accountOf(state, account), orders, userId }),
  );
  const data = await deps.turns.runPieces(account, work, from);
  return deps.engine.read(() => answer.write({ ...data, requestTime: formatT1(deps.engine.now()) }));
}

interface Question {
  readonly state: State;
  readonly views: Views;
  readonly ports: DecisionPorts;
  readonly account: Account;
  readonly orders: readonly AskedOrder[];
  readonly userId: string;
}

type Measured = Omit<Static<typeof answer.data>, 'requestTime'>;

function* measure(deps: GatewayParts, question: Question): Generator<undefined, Measured> {
  const { state, ports, account, orders } = question;
  const groups = new Set(orders.map(({ instrument }) => marginGroup(instrument)));
  const after = new OrderPreview(state, ports, account, groups);
  const [available, used] = [availableMargin(account), marginUsed(account)];
  const judged = yield* judgeInSlices(deps.slicing, after, orders);
  const margins = yield* marginsOf(question);
  const rates = deps.charges.on(istDay(deps.engine.now()));
  const charges = (some: readonly Judged[]): string => {
    const trades = some.map(chargedTrade).filter((trade) => trade !== undefined);
    return formatRupees(total(chargesOf(rates, trades)));
  };
  const rows = judged.map((one, place) => ({
    ...rowOf(deps, question, one),
    marginAlone: formatRupees(at(margins.alone, place)),
    charges: charges([one]),
  }));
  const usedAfter = after.marginUsed();
  return {
    orders: rows,
    margin: formatRupees(margins.given.blocked),
    sumAlone: formatRupees(margins.alone.reduce((sum, one) => (sum + one) as Paise, ZERO_PAISE)),
    peak: formatRupees(margins.given.peak),
    bestOrder: margins.best.places.map(String),
    bestPeak: formatRupees(margins.best.peak),
    charges: charges(judged),
    availableMargin: formatRupees(available),
    availableAfter: formatRupees(after.availableMargin()),
    marginUsed: formatRupees(used),
    marginUsedAfter: formatRupees(usedAfter),
    blocked: formatRupees((usedAfter - used) as Paise),
  };
}

function rowOf({ market }: GatewayParts, { views, ports, userId }: Question, judged: Judged) {
  const { instrument, refusal, check, price, filled, slices } = judged;
  return {
    outcome: refusal === undefined ? 'admitted' : 'refused',
    check: check?.name ?? '',
    rule: check?.source ?? '',
    reason: refusal?.({ userId, kind: instrument.kind }) ?? '',
    price: formatRupees(price),
    filled: String(filled),
    warnings: warningsOf(judged, { views, market, tick: ports.tick, userId }),
    slices: String(slices),
  };
}

interface Margins {
  readonly alone: readonly Paise[];
  /** Its places are those among the measured orders. */
  readonly given: TriedWay;
  readonly best: PlacingOrder;
}

/** An order that no account can place on any day has no margin, and comes last. */
function* marginsOf({ state, ports, account, orders }: Question): Generator<undefined, Margins> {
  const alone: Paise[] = orders.map(() => ZERO_PAISE);
  const places: number[] = [];
  const others: number[] = [];
  const measured: MeasuredOrder[] = [];
  for (const [place, { placement, instrument }] of orders.entries()) {
    if (instrument.kind === 'index' || neverPlaced(placement.product, instrument) !== undefined) {
      others.push(place);
      continue;
    }
    alone[place] = orderMargin(state, ports, account, placement).onNewOrder;
    measured.push(measuredOrder(state, ports, account, placement));
    places.push(place);
    yield;
  }
  const { given, best } = yield* placingOrders(ports, account, measured);
  return {
    alone,
    given,
    best: { peak: best.peak, places: [...best.places.map((index) => at(places, index)), ...others] },
  };
}

function total(charges: OrderCharges): Paise {
  return roundToPaisa(sumOf(...Object.values(charges)));
}

function at<T>(list: readonly T[], place: number): T {
  return list[place] as T;
}
