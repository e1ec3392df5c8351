/**
 * The operation `/getFunds`: every figure of `limit` with the entries that sum to it, and the margin of each underlying
 * by its parts. The figures are explained in `views/limit-explained.ts`, the margin in the core.
 */

import Type, { type Static } from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import { addPaise, type Paise, ZERO_PAISE } from '../../../base/money.ts';
import type { Account, Portfolio } from '../../../core/account.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { explainRequirement } from '../../../core/margin/requirement.ts';
import { roundedParts, type SpanParts } from '../../../core/margin/rounded-parts.ts';
import type { DecisionPorts } from '../../../core/ports.ts';
import { accountOf } from '../../../core/state.ts';
import { explainLimit, type LimitFigure } from '../../../views/limit-explained.ts';
import type { Views } from '../../../views/views.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, exchangeWord, listOf, rupees, t1, t1OrBlankFor } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { objectAnswer, type Piece } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';

const UNDERLYING = Type.Object({
  exchange: exchangeWord,
  underlying: anyText(),
  scan: rupees,
  spreadCharge: rupees,
  shortMinimum: rupees,
  netOptionValue: rupees,
  span: rupees,
  exposure: rupees,
  premium: rupees,
  cashSegment: rupees,
  total: rupees,
});
const writeUnderlying = compileWriter(UNDERLYING);

const FIGURE = Type.Object({
  name: anyText(),
  amount: rupees,
  entries: listOf(Type.Object({ time: t1OrBlankFor('blank for sums and balances'), text: anyText(), amount: rupees })),
});
const REST = Type.Object({ figures: listOf(FIGURE), requestTime: t1 });
const writeRest = compileWriter(REST);

const answer = success('Funds', Type.Object({ underlyings: listOf(UNDERLYING), ...REST.properties }));

/** Entries of one book that stand by themselves. */
const MOST_ENTRIES = 100;
const UNDERLYINGS_AT_A_TIME = 25;
/** The most that an underlying takes with its entries of the figures, and that the other entries take, in bytes. */
const UNDERLYING_BYTES = 1_024;
const REST_BYTES = 256 * 1_024;

/** Source: docs/rules/wire-own.md, market-rules R4.32. */
export const getFunds = operation({
  path: '/getFunds',
  summary: 'Every figure of limit with its entries, and margin by underlying',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: async (deps, _fields, caller): Promise<Answer> => {
    const funds = new FundsAnswer(deps, caller.account);
    const portfolios = await funds.portfolios();
    return objectAnswer(deps, caller, {
      answer,
      list: 'underlyings',
      mostBytes: REST_BYTES + portfolios.length * UNDERLYING_BYTES,
      pieces: funds.pieces(portfolios),
      rest: () => funds.rest(),
    });
  },
});

class FundsAnswer {
  private readonly parts: GatewayParts;
  private readonly account: Account['id'];
  private figures: readonly LimitFigure[] = [];

  constructor(parts: GatewayParts, account: Account['id']) {
    this.parts = parts;
    this.account = account;
  }

  portfolios(): readonly Portfolio[] | Promise<readonly Portfolio[]> {
    return this.parts.engine.read((state) => [...accountOf(state, this.account).portfolios.values()]);
  }

  /** The last piece explains the figures too, so a list of one piece is of one moment with them. */
  *pieces(portfolios: readonly Portfolio[]): Generator<Piece> {
    for (let from = 0; from === 0 || from < portfolios.length; from += UNDERLYINGS_AT_A_TIME) {
      const some = portfolios.slice(from, from + UNDERLYINGS_AT_A_TIME);
      yield () =>
        this.parts.engine.read((state, views, ports) => {
          if (from + UNDERLYINGS_AT_A_TIME >= portfolios.length) this.explain(accountOf(state, this.account), views);
          return some
            .filter(({ parts }) => totalOf(parts) !== 0)
            .map((portfolio) => writeUnderlying(this.underlyingOf(ports, portfolio)))
            .join(',');
        });
    }
  }

  rest(): string {
    return writeRest({ figures: this.figures.map(figureOf), requestTime: formatT1(this.parts.engine.now()) });
  }

  private explain(account: Account, { ledger }: Views): void {
    // The house gives no collateral value of its own. Source: market-rules R4.32.
    const none: LimitFigure = { name: 'brkcollamt', amount: ZERO_PAISE, entries: [] };
    this.figures = [...explainLimit(account, ledger, (id) => this.nameOf(id), MOST_ENTRIES), none];
  }

  private nameOf(id: InstrumentId): string {
    return this.parts.instruments.get(id)?.tradingSymbol ?? String(id);
  }

  private underlyingOf(ports: DecisionPorts, portfolio: Portfolio): Static<typeof UNDERLYING> {
    const { parts, group } = portfolio;
    const instrument = this.parts.instruments.get(group) as Instrument;
    const margin = explainRequirement(ports, portfolio)?.margin;
    const spanParts = margin === undefined ? NO_PARTS : roundedParts(margin, parts.span);
    return {
      exchange: instrument.exchange,
      underlying: instrument.symbol,
      scan: formatRupees(spanParts.scan),
      spreadCharge: formatRupees(spanParts.calendar),
      shortMinimum: formatRupees(spanParts.shortMinimum),
      netOptionValue: formatRupees(spanParts.optionValue),
      span: formatRupees(parts.span),
      exposure: formatRupees(parts.exposure),
      premium: formatRupees(parts.premium),
      cashSegment: formatRupees(parts.cash),
      total: formatRupees(totalOf(parts)),
    };
  }
}

/** Of a portfolio without contracts. */
const NO_PARTS: SpanParts = {
  scan: ZERO_PAISE,
  calendar: ZERO_PAISE,
  shortMinimum: ZERO_PAISE,
  optionValue: ZERO_PAISE,
};

function totalOf({ span, exposure, premium, cash }: Portfolio['parts']): Paise {
  return addPaise(addPaise(span, exposure), addPaise(premium, cash));
}

function figureOf({ name, amount, entries }: LimitFigure): Static<typeof FIGURE> {
  return {
    name,
    amount: formatRupees(amount),
    entries: entries.map((entry) => ({
      time: entry.at === undefined ? '' : formatT1(entry.at),
      text: entry.text,
      amount: formatRupees(entry.amount),
    })),
  };
}
