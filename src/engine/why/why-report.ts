/**
 * The report on how an order was judged, made of its trials: `sauda why` prints it, and `getOrderWhy` answers it to the
 * order's own client.
 */
import { formatRupees } from '../../base/decimal.ts';
import type { InstrumentId } from '../../base/ids.ts';
import type { Paise } from '../../base/money.ts';
import { formatIstMoment } from '../../base/time.ts';
import type { CheckedFigure, CheckFinding } from '../../core/broker/trials/check-trace.ts';
import type { OrderTrial } from '../../core/broker/trials/order-trial.ts';
import type { Instrument } from '../../core/instrument.ts';
import { refusalText } from '../../core/refusals/refusal-text.ts';
import type { OrderTrials } from './order-trials.ts';

/** How an order was judged: its placement, then each of its modifications. Amounts are rupees, times are IST. */
export interface WhyReport {
  readonly order: number;
  readonly userId: string;
  readonly exchange: string;
  readonly tradingSymbol: string;
  readonly transactionType: string;
  readonly product: string;
  readonly steps: readonly StepReport[];
  /** The things that happened to it on demand; absent from nearly all orders. Source: docs/outcomes.md. */
  readonly outcomes?: readonly OutcomeReport[];
}

interface OutcomeReport {
  readonly at: string;
  /** The journal's record. */
  readonly record: number;
  readonly outcome: string;
}

interface StepReport {
  readonly step: OrderTrial['step'];
  readonly at: string;
  /** The journal's record. */
  readonly record: number;
  readonly terms: Readonly<Record<string, string>>;
  readonly checks: readonly CheckReport[];
  readonly outcome: 'admitted' | 'refused';
  /** The words that the client was given. */
  readonly reason?: string;
}

interface CheckReport {
  readonly check: string;
  readonly rule: string;
  readonly outcome: CheckFinding['outcome'];
  readonly figures: Readonly<Record<string, string>>;
}

/** Source: market-rules R3.5. */
export function whyReport(
  { userId, trials, outcomes }: OrderTrials,
  instrumentOf: (id: InstrumentId) => Instrument,
): WhyReport | undefined {
  const [first] = trials;
  if (first === undefined) return undefined;
  const instrument = instrumentOf(first.instrument);
  return {
    order: first.order,
    userId,
    exchange: instrument.exchange,
    tradingSymbol: instrument.tradingSymbol,
    transactionType: first.side,
    product: first.product,
    steps: trials.map((trial) => stepReport(trial, userId, instrument)),
    ...(outcomes.length > 0 && {
      outcomes: outcomes.map(({ at, seq, words }) => ({ at: formatIstMoment(at), record: seq, outcome: words })),
    }),
  };
}

function stepReport(trial: OrderTrial, userId: string, { kind }: Instrument): StepReport {
  const { step, at, seq, terms, findings, refusal } = trial;
  const { priceType, retention, quantity, price, trigger } = terms;
  const report = {
    step,
    at: formatIstMoment(at),
    record: seq,
    terms: {
      priceType,
      retention,
      quantity: String(quantity),
      price: formatRupees(price),
      ...(trigger > 0 ? { trigger: formatRupees(trigger) } : {}),
    },
    checks: findings.map(({ name, source, outcome, figures }) => {
      return { check: name, rule: source, outcome, figures: Object.fromEntries(figures.map(figureEntry)) };
    }),
  };
  if (refusal === undefined) return { ...report, outcome: 'admitted' };
  return { ...report, outcome: 'refused', reason: refusalText(refusal, { userId, kind }) };
}

function figureEntry({ name, kind, value }: CheckedFigure): [string, string] {
  return [name, kind === 'paise' ? formatRupees(value as Paise) : String(value)];
}
