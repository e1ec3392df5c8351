/**
 * The results of an account's positions, by row, by underlying and together, with the charges of the day so far. They
 * are made in pieces; `getResults` answers them and the channel `results` of the stream sends them.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import type { AccountId } from '../../../base/ids.ts';
import { addPaise, type Paise, subtractPaise, ZERO_PAISE } from '../../../base/money.ts';
import type { Position } from '../../../core/account.ts';
import type { DecisionPorts } from '../../../core/ports.ts';
import { type PositionFigures, positionFigures, positionsOf } from '../../../core/query.ts';
import { accountOf, type State } from '../../../core/state.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Views } from '../../../views/views.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, exchangeWord, integer, listOf, productWord, rupees, t1 } from '../../fields/answers.ts';
import { formatT1 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import type { Piece } from '../../long-answer.ts';
import { openByModel } from '../account/position-book.ts';

const SUMS = { realised: rupees, open: rupees, total: rupees };

const ROW = Type.Object({
  exchange: exchangeWord,
  tradingSymbol: anyText(),
  token: integer,
  product: productWord,
  underlying: anyText(),
  netQuantity: integer,
  averagePrice: rupees,
  lastTradedPrice: rupees,
  ...SUMS,
});
const writeRow = compileWriter(ROW);

const UNDERLYING = Type.Object({ underlying: anyText(), ...SUMS });

const REST = { underlyings: listOf(UNDERLYING), ...SUMS, charges: rupees, net: rupees };
const writeRest = compileWriter(Type.Object(REST));

export const RESULTS = Type.Object({ rows: listOf(ROW), ...REST, requestTime: t1 });

/** Rows that are made, and fills whose charges are added up, in one piece of work. */
const ROWS_AT_A_TIME = 50;
const FILLS_AT_A_TIME = 500;
/** The most that a row takes, with that of its underlying, in bytes. */
export const ROW_BYTES = 640;

/** The parts that results are made with. */
export type ResultsParts = Pick<GatewayParts, 'engine' | 'instruments' | 'market' | 'avgModel' | 'dayCharges'>;

interface Sums {
  realised: Paise;
  open: Paise;
}

/** The results of one account, made once. Take the pieces to their end, then ask for the rest. */
export class Results {
  private readonly parts: ResultsParts;
  private readonly account: AccountId;
  private readonly whole: Sums = { realised: ZERO_PAISE, open: ZERO_PAISE };
  private readonly underlyings = new Map<string, Sums>();
  private charges: Paise = ZERO_PAISE;

  constructor(parts: ResultsParts, account: AccountId) {
    this.parts = parts;
    this.account = account;
  }

  /** The rows that there are now. A list of up to fifty is of one moment, with its sums. */
  positions(): readonly Position[] | Promise<readonly Position[]> {
    return this.parts.engine.read((state, views) =>
      positionsOf(accountOf(state, this.account), views.conversions.originsOf(this.account)),
    );
  }

  /**
   * The pieces that make the rows. First come the charges, as far as they are not added up. `mostRows`: further rows
   * are counted in the sums and are not written.
   */
  *pieces(positions: readonly Position[], mostRows = Number.POSITIVE_INFINITY): Generator<Piece> {
    let hasAll = false;
    while (!hasAll) {
      yield () =>
        this.parts.engine.read((state, views, ports) => {
          hasAll = this.follow(state, views, ports);
          return '';
        });
    }
    for (let from = 0; from === 0 || from < positions.length; from += ROWS_AT_A_TIME) {
      const some = positions.slice(from, from + ROWS_AT_A_TIME);
      yield () =>
        this.parts.engine.read((state, views, ports) => {
          const rows = some.map((position) => this.rowText(views, position));
          this.follow(state, views, ports);
          const { charges } = ports;
          this.charges = this.parts.dayCharges.totals({ state, charges }, accountOf(state, this.account)).total;
          return rows.slice(0, Math.max(0, mostRows - from)).join(',');
        });
    }
  }

  /** All but the rows and the time of the answer, as a JSON object. */
  sums(): string {
    const { whole, charges } = this;
    const net = subtractPaise(addPaise(whole.realised, whole.open), charges);
    return writeRest({
      underlyings: [...this.underlyings].map(([underlying, sums]) => ({ underlying, ...sumTexts(sums) })),
      ...sumTexts(whole),
      charges: formatRupees(charges),
      net: formatRupees(net),
    });
  }

  /** The sums, with the time of the answer. */
  rest(): string {
    return `${this.sums().slice(0, -1)},"requestTime":"${formatT1(this.parts.engine.now())}"}`;
  }

  private follow(state: State, { trades }: Views, { charges }: DecisionPorts): boolean {
    const account = accountOf(state, this.account);
    return this.parts.dayCharges.follow({ state, trades, charges }, account, FILLS_AT_A_TIME);
  }

  private rowText(views: Views, position: Position): string {
    const { instruments, market, engine, avgModel } = this.parts;
    const instrument = must(instruments.get(position.instrument), 'a position is in a listed instrument');
    const last = lastPrice(views, market, instrument.id, market.tickAt(engine.now()));
    const figures = positionFigures(position, last, openByModel(avgModel, views, this.account, position));
    this.count(instrument.symbol, figures);
    const row: Static<typeof ROW> = {
      exchange: instrument.exchange,
      tradingSymbol: instrument.tradingSymbol,
      token: String(instrument.token),
      product: position.product,
      underlying: instrument.symbol,
      netQuantity: String(figures.netQuantity),
      averagePrice: formatRupees(figures.netAveragePrice),
      lastTradedPrice: formatRupees(last),
      ...sumTexts({ realised: figures.realised, open: figures.unrealised }),
    };
    return writeRow(row);
  }

  private count(underlying: string, { realised, countedOpen }: PositionFigures): void {
    const sums = this.underlyings.get(underlying) ?? { realised: ZERO_PAISE, open: ZERO_PAISE };
    this.underlyings.set(underlying, sums);
    for (const sum of [sums, this.whole]) {
      sum.realised = addPaise(sum.realised, realised);
      sum.open = addPaise(sum.open, countedOpen);
    }
  }
}

function sumTexts({ realised, open }: Readonly<Sums>): Record<keyof typeof SUMS, string> {
  return {
    realised: formatRupees(realised),
    open: formatRupees(open),
    total: formatRupees(addPaise(realised, open)),
  };
}
