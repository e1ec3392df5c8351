/**
 * The charges by day, from `rules/charges.csv`. A row holds from its day until a later row for the same exchange,
 * class, item and side, and the first one for the days before it too. `*` stands for all of them, and a row that names
 * what it is for goes before one that does not. The reckoning of charges is in `core/charges`. Source: market-rules
 * 6.1.
 */
import { assert, must } from '../../base/assert.ts';
import { EXCHANGES, type Exchange } from '../../base/ids.ts';
import type { Paise } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { ChargeRates, ChargeTable, TradeClass, TradeRates } from '../../core/charges/charge-rates.ts';
import type { PartsPerBillion } from '../../core/charges/exact-amount.ts';
import type { Side } from '../../core/order.ts';
import type { DataRow } from './data-table.ts';
import { ByChange, byKey, type Dated, effectiveOn } from './dated.ts';

const ITEMS = [
  'brokerage',
  'transaction',
  'investorProtection',
  'sebi',
  'stt',
  'stamp',
  'clearing',
  'gst',
  'depository',
  'squareOff',
  'exerciseStt',
  'physicalStt',
  'physicalStamp',
] as const;
type Item = (typeof ITEMS)[number];

const CLASSES_OF: Readonly<Record<Exchange, readonly TradeClass[]>> = {
  NSE: ['delivery', 'intraday'],
  BSE: ['delivery', 'intraday'],
  NFO: ['future', 'option'],
  BFO: ['future', 'option'],
};

/** A row: a share of an amount, an amount, or both. */
interface Rate extends Dated {
  readonly share: PartsPerBillion | undefined;
  readonly rupees: Paise | undefined;
}

export class ChargeRateTable implements ChargeTable {
  private readonly rates: ReadonlyMap<string, readonly Rate[]>;
  private readonly byChange: ByChange<ChargeRates>;

  constructor(rows: readonly DataRow[]) {
    const entries = rows.map((row) => {
      const percent = row.text('percent');
      return {
        key: keyOf(
          row.text('exchange'),
          row.text('class'),
          row.oneOf('item', ITEMS),
          row.oneOf('side', ['B', 'S', '*']),
        ),
        from: row.day('from'),
        share: percent === '' ? undefined : partsPerBillion(percent),
        rupees: row.optionalPrice('rupees') as Paise | undefined,
      };
    });
    this.rates = byKey(entries, (entry) => entry.key);
    this.byChange = new ByChange(
      entries.map(({ from }) => from),
      (day) => this.build(day),
    );
  }

  on(day: IstDay): ChargeRates {
    return this.byChange.on(day);
  }

  private build(day: IstDay): ChargeRates {
    const find: Find = (item, exchange, tradeClass, side) => {
      const keys = [exchange, '*'].flatMap((e) =>
        [tradeClass, '*'].flatMap((c) => [side, '*'].map((s) => keyOf(e, c, item, s))),
      );
      const found = keys.map((key) => this.rates.get(key)).find((entries) => entries !== undefined);
      return effectiveOn(must(found, `no ${item} for ${exchange} ${tradeClass} ${side}`), day);
    };
    const trades = new Map<string, TradeRates>();
    for (const exchange of EXCHANGES) {
      for (const tradeClass of CLASSES_OF[exchange]) {
        trades.set(`${exchange} ${tradeClass}`, tradeRates(find, exchange, tradeClass));
      }
    }
    return {
      of: (exchange, tradeClass) =>
        must(trades.get(`${exchange} ${tradeClass}`), `${exchange} has no trades of the class ${tradeClass}`),
      gstPercent: wholePercent(find('gst', '*', '*', '*')),
      depository: rupeesIn(find('depository', '*', 'delivery', '*')),
      squareOff: rupeesIn(find('squareOff', '*', '*', '*')),
      exerciseStt: shareIn(find('exerciseStt', '*', 'option', '*')),
      physicalStt: shareIn(find('physicalStt', '*', '*', '*')),
      physicalStamp: shareIn(find('physicalStamp', '*', '*', '*')),
    };
  }
}

type Find = (item: Item, exchange: Exchange | '*', tradeClass: TradeClass | '*', side: Side | '*') => Rate;

function tradeRates(find: Find, exchange: Exchange, tradeClass: TradeClass): TradeRates {
  const rate = (item: Item, side: Side | '*' = '*'): PartsPerBillion => shareIn(find(item, exchange, tradeClass, side));
  const brokerage = find('brokerage', exchange, tradeClass, '*');
  return {
    brokerage: { share: brokerage.share, most: rupeesIn(brokerage) },
    transaction: rate('transaction'),
    investorProtection: rate('investorProtection'),
    sebi: rate('sebi'),
    stt: { B: rate('stt', 'B'), S: rate('stt', 'S') },
    stamp: { B: rate('stamp', 'B'), S: rate('stamp', 'S') },
    clearing: rate('clearing'),
  };
}

function keyOf(exchange: string, tradeClass: string, item: Item, side: string): string {
  return `${exchange} ${tradeClass} ${item} ${side}`;
}

/** Percent with at most seven decimals, so that no rate is rounded. */
function partsPerBillion(percent: string): PartsPerBillion {
  const match = must(/^(\d{1,3})(?:\.(\d{1,7}))?$/.exec(percent), `not a percentage: ${percent}`);
  return (Number(match[1]) * 10_000_000 + Number((match[2] ?? '').padEnd(7, '0'))) as PartsPerBillion;
}

function shareIn({ share }: Rate): PartsPerBillion {
  return must(share, 'a rate without a percentage');
}

function rupeesIn({ rupees }: Rate): Paise {
  return must(rupees, 'a charge without an amount');
}

function wholePercent(rate: Rate): number {
  const percent = shareIn(rate) / 10_000_000;
  assert(Number.isInteger(percent), 'the tax on services is in whole percent');
  return percent;
}
