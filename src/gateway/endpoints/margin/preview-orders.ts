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
import { availableMargin, marginUsed } from '../../../core/broker/account/funds.ts';
import { measuredOrder, neverPlaced, orderMargin } from '../../../core/broker/trials/basket-margin.ts';
import { placingWays } from '../../../core/broker/trials/least-peak.ts';
import { OrderPreview } from '../../../core/broker/trials/order-preview.ts';
import { roundToPaisa, sumOf } from '../../../core/charges/exact-amount.ts';
import { chargesOf, type OrderCharges } from '../../../core/charges/order-charges.ts';
import type { PlaceOrder } from '../../../core/command.ts';
import { type Instrument, marginGroup } from '../../../core/instrument.ts';
import type { DecisionPorts } from '../../../core/ports.ts';
import { accountOf, type State } from '../../../core/state.ts';
import type { Views } from '../../../views/views.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, integer, listOf, plain, rupees, t1 } from '../../fields/answers.ts';
import type { Failure } from '../../fields/envelope.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, operation, success } from '../../operation.ts';
import { contradictionOf, ORDER_FIELDS, placementOf } from '../orders/placement.ts';
import { chargedTrade, type Judged, judgeInSlices } from './preview-judgement.ts';
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
    const placements = placementsOf(deps, fields, caller);
    return 'status' in placements ? placements : preview(deps, placements, fields, caller);
  },
});

/** Every order's own contradictions come before any unknown instrument. Source: contract W3. */
function placementsOf(deps: GatewayParts, { orders }: Fields, caller: Caller): readonly PlaceOrder[] | Failure {
  const named = orders.map((order) => ({ ...order, remarks: '' }));
  for (const order of named) {
    const failure = contradictionOf(order);
    if (failure !== undefined) return failure;
  }
  const placements: PlaceOrder[] = [];
  for (const order of named) {
    const placement = placementOf(deps, order, caller);
    if ('status' in placement) return placement;
    placements.push(placement);
  }
  return placements;
}

/** The answer is made of one state, and leaves when all of that state is durable. */
async function preview(
  deps: GatewayParts,
  placements: readonly PlaceOrder[],
  { userId }: Fields,
  { account }: Caller,
): Promise<Answer> {
  const work = await deps.engine.read((state, views, ports) =>
    measure(deps, { state, views, ports, placements, userId }),
  );
  const data = await deps.turns.runPieces(account, work);
  return deps.engine.read(() => answer.write({ ...data, requestTime: formatT1(deps.engine.now()) }));
}

interface Question {
  readonly state: State;
  readonly views: Views;
  readonly ports: DecisionPorts;
  readonly placements: readonly PlaceOrder[];
  readonly userId: string;
}

type Measured = Omit<Static<typeof answer.data>, 'requestTime'>;

function* measure(deps: GatewayParts, question: Question): Generator<undefined, Measured> {
  const { state, ports, placements } = question;
  const account = accountOf(state, must(placements[0], 'a preview has an order').account);
  const instruments = placements.map(({ instrument }) => must(deps.instruments.get(instrument), 'it was found'));
  const groups = new Set(instruments.map(marginGroup));
  const after = new OrderPreview(state, ports, account, groups);
  const [available, used] = [availableMargin(account), marginUsed(account)];
  const judged = yield* judgeInSlices(deps.slicing, after, placements, instruments);
  const margins = yield* marginsOf(question, instruments);
  const rates = deps.charges.on(istDay(deps.engine.now()));
  const trades = judged.map((one, place) => chargedTrade(one, at(placements, place), at(instruments, place)));
  const rows = judged.map((one, place) => {
    const trade = at(trades, place);
    return {
      ...rowOf(deps, question, one, place, at(instruments, place)),
      marginAlone: formatRupees(at(margins.alone, place)),
      charges: formatRupees(total(chargesOf(rates, trade === undefined ? [] : [trade]))),
    };
  });
  const usedAfter = after.marginUsed();
  return {
    orders: rows,
    margin: formatRupees(margins.whole),
    sumAlone: formatRupees(margins.alone.reduce((sum, one) => (sum + one) as Paise, ZERO_PAISE)),
    peak: formatRupees(margins.peak),
    bestOrder: margins.best.map(String),
    bestPeak: formatRupees(margins.bestPeak),
    charges: formatRupees(
      total(
        chargesOf(
          rates,
          trades.filter((trade) => trade !== undefined),
        ),
      ),
    ),
    availableMargin: formatRupees(available),
    availableAfter: formatRupees(after.availableMargin()),
    marginUsed: formatRupees(used),
    marginUsedAfter: formatRupees(usedAfter),
    blocked: formatRupees((usedAfter - used) as Paise),
  };
}

function rowOf(
  { market }: GatewayParts,
  { views, ports, placements, userId }: Question,
  judged: Judged,
  place: number,
  instrument: Instrument,
) {
  const { refusal, check, price, filled, slices } = judged;
  return {
    outcome: refusal === undefined ? 'admitted' : 'refused',
    check: check?.name ?? '',
    rule: check?.source ?? '',
    reason: refusal?.({ userId, kind: instrument.kind }) ?? '',
    price: formatRupees(price),
    filled: String(filled),
    warnings: [...warningsOf(judged, at(placements, place), instrument, { views, market, tick: ports.tick, userId })],
    slices: String(slices),
  };
}

interface Margins {
  readonly alone: readonly Paise[];
  readonly whole: Paise;
  readonly peak: Paise;
  readonly best: readonly number[];
  readonly bestPeak: Paise;
}

/** An order that no account can place on any day has no margin, and stands where it was given. */
function* marginsOf(
  { state, ports, placements }: Question,
  instruments: readonly Instrument[],
): Generator<undefined, Margins> {
  const account = accountOf(state, at(placements, 0).account);
  const places = placements.flatMap(({ product }, place) => {
    const instrument = at(instruments, place);
    return instrument.kind === 'index' || neverPlaced(product, instrument) !== undefined ? [] : [place];
  });
  const alone: Paise[] = placements.map(() => ZERO_PAISE);
  const orders = [];
  for (const place of places) {
    const placement = at(placements, place);
    alone[place] = orderMargin(state, ports, account, placement).onNewOrder;
    orders.push(measuredOrder(state, ports, account, placement));
    yield;
  }
  const { given, best } = yield* placingWays(ports, account, orders);
  const measured = best.places.map((index) => at(places, index));
  const others = placements.map((_, place) => place).filter((place) => !places.includes(place));
  return { alone, whole: given.blocked, peak: given.peak, best: [...measured, ...others], bestPeak: best.peak };
}

function total(charges: OrderCharges): Paise {
  return roundToPaisa(sumOf(...Object.values(charges)));
}

function at<T>(list: readonly T[], place: number): T {
  return list[place] as T;
}
