/** The margin and the charges of orders that are not placed. */

import type { CallOptions, Transport } from './transport.ts';
import type { BasketMargin, OrderCharges, OrderMargin, OrdersPreview, RequestOf } from './wire.ts';

/**
 * An order whose margin is asked for. `price` may be absent for market types. A stop is measured as it would be placed
 * where it has its `triggerPrice`.
 */
export type OrderQuestion = Omit<RequestOf<'orderMargin'>, 'price'> & Partial<Pick<RequestOf<'orderMargin'>, 'price'>>;

/** An order that is previewed: the fields of an order that is placed, without its remarks. */
export type PreviewedOrder = RequestOf<'previewOrders'>['orders'][number];

export class Margin {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The margin of one order, in rupees. */
  order(order: OrderQuestion, options?: CallOptions): Promise<OrderMargin> {
    return this.transport.read('orderMargin', questionOf(order), options);
  }

  /** The margin of 1 to 50 orders together, placed in their sequence, in rupees. */
  basket(
    [first, ...others]: readonly [OrderQuestion, ...OrderQuestion[]],
    options?: CallOptions,
  ): Promise<BasketMargin> {
    const fields = { ...questionOf(first), BasketList_Params: others.map(questionOf) };
    return this.transport.read('basketMargin', fields, options);
  }

  /**
   * The treatment of 1 to 50 orders that are not placed, each as if those before it had been: refusals, margins,
   * charges, and the funds that are left.
   */
  preview(orders: readonly PreviewedOrder[], options?: CallOptions): Promise<OrdersPreview> {
    return this.transport.read('previewOrders', { orders }, options);
  }

  /**
   * The charges of one order as if it were executed at `price`, in rupees with four decimals. STT and the clearing
   * charge of contracts are not among them; the `charges` of `preview` have both.
   */
  charges(order: OrderQuestion & { readonly price: string }, options?: CallOptions): Promise<OrderCharges> {
    const { exchange, tradingSymbol, transactionType, product, quantity, price } = order;
    const fields = { exchange, tradingSymbol, transactionType, Product: product, quantity, price };
    return this.transport.read('brokerageCalculator', fields, options);
  }
}

/** The fields of the question and no others, so that a whole order can be given. */
function questionOf(order: OrderQuestion): RequestOf<'orderMargin'> {
  const { exchange, tradingSymbol, transactionType, product, quantity, priceType, price = '0', triggerPrice } = order;
  const terms = { exchange, tradingSymbol, transactionType, product, quantity, priceType, price };
  return triggerPrice === undefined ? terms : { ...terms, triggerPrice };
}
