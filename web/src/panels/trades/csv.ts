/** The trades of the day with their charges as text for spreadsheets. The figures are those of the service. */
import type { TradeChargesData, TradeRow } from '../../../../client/src/wire.ts';

const TITLES = [
  'Time',
  'Order',
  'Trade',
  'Exchange',
  'Instrument',
  'Side',
  'Product',
  'Quantity',
  'Price',
  'Value',
  'Brokerage',
  'Transaction charge',
  'Investor protection',
  'SEBI fee',
  'Clearing',
  'GST',
  'STT',
  'Stamp duty',
  'Charges',
] as const;

/** A row a trade, the sums, and the charges that belong to no trade. `bookOf` has the trade's row of the trade book. */
export function tradesCsv(charges: TradeChargesData, bookOf: (fillId: string) => TradeRow | undefined): string {
  const rows = charges.rows.map((row) => {
    const book = bookOf(row.fillId);
    return [
      book?.fillTime ?? '',
      row.orderNumber,
      row.fillId,
      row.exchange,
      row.tradingSymbol,
      row.transactionType,
      book?.product ?? '',
      row.quantity,
      row.price,
      row.value,
      ...levies(row),
    ];
  });
  const blanks = (count: number): string[] => new Array<string>(count).fill('');
  const { totals, others } = charges;
  const sums = ['Sum', ...blanks(8), totals.value, ...levies(totals)];
  const beyond = others.map(({ text, amount }) => [text, ...blanks(TITLES.length - 2), amount]);
  const whole = ['Charges of the day', ...blanks(TITLES.length - 2), charges.charges];
  return [TITLES, ...rows, sums, ...beyond, whole].map((fields) => fields.map(quoted).join(',')).join('\r\n');
}

function levies(of: TradeChargesData['totals']): string[] {
  const { brokerage, transaction, investorProtection, sebi, clearing, gst, stt, stamp, total } = of;
  return [brokerage, transaction, investorProtection, sebi, clearing, gst, stt, stamp, total];
}

/** A field as RFC 4180 has it. */
function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
