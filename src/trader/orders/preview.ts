/** The margin and the charges of an order that is not placed. */
import { fromPaise } from '../../../client/src/money.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import type { OrderCharges, OrderMargin } from '../../../client/src/wire.ts';
import { grouped } from '../text/amounts.ts';
import type { Paint } from '../text/paint.ts';
import { pairs } from '../text/table.ts';
import { termsText, worthOf } from './order-text.ts';

export interface Preview {
  readonly order: NewOrder;
  /** The limit, or the last price of an order at market. */
  readonly price: string;
  readonly margin: OrderMargin;
  readonly charges: OrderCharges;
}

const CHARGES = [
  ['brokerage', 'brokerage'],
  ['exchange_charge', 'exchange'],
  ['gst', 'GST'],
  ['sebi_charge', 'SEBI'],
  ['stamp_duty', 'stamp duty'],
] as const;

/** Asks what an order would need and cost. */
export async function previewOf(sauda: Sauda, order: NewOrder): Promise<Preview> {
  const isAtMarket = order.priceType.endsWith('MKT');
  const price = isAtMarket ? await sauda.market.ltp(order) : (order.price ?? '0');
  const [margin, charges] = await Promise.all([sauda.margin.order(order), sauda.margin.charges({ ...order, price })]);
  return { order, price, margin, charges };
}

/** The preview as lines. */
export function previewText({ order, price, margin, charges }: Preview, paint: Paint): string {
  const isShort = margin.remarks !== '';
  const rows = pairs(
    [
      ['price', grouped(price), order.priceType.endsWith('MKT') ? 'the last one' : ''],
      ['value', worthOf(price, order.quantity)],
      ['margin', { text: grouped(margin.marginOnNewOrder), tone: isShort ? 'down' : undefined }],
      ['available', grouped(margin.availableMargin), isShort ? 'not enough' : ''],
      ['charges', grouped(sumOf(charges)), chargesNote(charges)],
    ],
    paint,
  );
  return `${paint(termsText(order), 'strong')}\n${rows}`;
}

/** The sum of charges with four decimals of a rupee, rounded up to the paisa. */
function sumOf(charges: OrderCharges): string {
  const tenThousandths = CHARGES.reduce((sum, [field]) => sum + Math.round(Number(charges[field]) * 10_000), 0);
  return fromPaise(Math.ceil(tenThousandths / 100));
}

function chargesNote(charges: OrderCharges): string {
  return `${CHARGES.map(([field, name]) => `${name} ${charges[field]}`).join(', ')}; without STT`;
}
