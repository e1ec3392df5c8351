/**
 * A previewed order: its fields as they would be sent, its value, and the answers of the service to all that can be
 * asked before an order comes. Admission itself judges once more when the order is placed.
 */

import { toPaise } from '../../client/src/money.ts';
import type { OrderFields } from './previews.ts';
import type { SignedIn } from './signed-in.ts';
import { ToolRefusal } from './tool-answer.ts';

type Given = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, string>>;

/** One question to an order. `passes`: the order would not fail by it. */
export interface Finding {
  readonly check: string;
  readonly passes: boolean;
  readonly detail: string;
}

const QUANTITY = /^[1-9]\d{0,8}$/;

/**
 * The fields of an order as text, with those that may be left out: a day order without remarks. Throws `ToolRefusal`
 * for a quantity that is not a whole number above 0.
 */
export function orderFields(given: Given): OrderFields {
  const texts = Object.entries(given).map(([name, value]) => [name, String(value)] as const);
  const order: OrderFields = { retention: 'DAY', remarks: '', price: '0', ...Object.fromEntries(texts) };
  if (!QUANTITY.test(order.quantity ?? '')) throw new ToolRefusal('quantity must be a whole number above 0');
  return order;
}

/** The last traded price of the order's instrument, as the service words it. */
export async function lastPrice(session: SignedIn, { exchange, tradingSymbol }: OrderFields): Promise<string> {
  const [quote] = (await session.read('/getQuote/ltp', { exchange, tradingSymbol })) as readonly Answer[];
  if (quote?.lastTradedPrice === undefined) throw new ToolRefusal('the instrument has no last traded price');
  return quote.lastTradedPrice;
}

/**
 * The value of an order in paise: its quantity at the highest of its limit, its trigger and the last traded price. A
 * market order may trade above that, as far as its protection lets it.
 */
export function orderValue({ quantity = '0', price = '0', triggerPrice = '' }: OrderFields, last: string): bigint {
  const prices = [price, triggerPrice === '' ? '0' : triggerPrice, last].map(paiseOf);
  return BigInt(quantity) * BigInt(Math.max(...prices));
}

/** Throws `ToolRefusal` for text that is not whole paise. */
function paiseOf(rupees: string): number {
  try {
    return toPaise(rupees);
  } catch (error) {
    if (error instanceof RangeError) throw new ToolRefusal(error.message);
    throw error;
  }
}

/** The answers of the service to an order that is not placed. */
export interface OrderAnswers {
  readonly lastTradedPrice: string;
  readonly margin: Answer;
  readonly basket: Given;
  readonly charges: Answer;
  readonly findings: readonly Finding[];
}

export async function askAbout(session: SignedIn, order: OrderFields): Promise<OrderAnswers> {
  const { exchange, tradingSymbol, transactionType, product, quantity, priceType, price, triggerPrice } = order;
  const lastTradedPrice = await lastPrice(session, order);
  const stop = triggerPrice === undefined ? {} : { triggerPrice };
  const question = { exchange, tradingSymbol, transactionType, product, quantity, priceType, price, ...stop };
  const atPrice = paiseOf(price ?? '0') > 0 ? price : lastTradedPrice;
  const [margin, basket, charges, info, status] = await Promise.all([
    session.read('/orderMargin', question),
    session.read('/basketMargin', { ...question, BasketList_Params: [] }),
    session.read('/brokerageCalculator', {
      exchange,
      tradingSymbol,
      transactionType,
      Product: product,
      quantity,
      price: atPrice,
    }),
    session.read('/securityInfo', { exchange, tradingSymbol }),
    session.read('/getMarketStatus', {}),
  ]);
  const findings = [
    marginFinding(margin as Answer),
    ...termFindings(order, info as Answer),
    ...marketFinding(exchange ?? '', status),
  ];
  return { lastTradedPrice, margin: margin as Answer, basket: basket as Given, charges: charges as Answer, findings };
}

function marginFinding({ remarks = '', availableMargin = '', marginOnNewOrder = '' }: Answer): Finding {
  const detail = `needs ${marginOnNewOrder}, available ${availableMargin}`;
  return { check: 'margin', passes: remarks === '', detail: remarks === '' ? detail : `${remarks}: ${detail}` };
}

function termFindings(order: OrderFields, info: Answer): Finding[] {
  const { quantity = '0', price = '0', triggerPrice = '', priceType = '' } = order;
  const { lotSize = '1', freezeQuantity = '', tickSize = '0.05' } = info;
  const findings: Finding[] = [
    finding('lot', BigInt(quantity) % BigInt(lotSize) === 0n, `quantity ${quantity}, lot ${lotSize}`),
  ];
  if (/^[1-9]\d*$/.test(freezeQuantity)) {
    const detail = `quantity ${quantity}, at most ${freezeQuantity}`;
    findings.push(finding('freeze quantity', BigInt(quantity) <= BigInt(freezeQuantity), detail));
  }
  const limit = priceType.endsWith('LMT') ? price : '0';
  const trigger = priceType.startsWith('SL') && triggerPrice !== '' ? triggerPrice : '0';
  const isOnTick = [limit, trigger].every((rupees) => paiseOf(rupees) % paiseOf(tickSize) === 0);
  return [...findings, finding('tick', isOnTick, `price ${limit}, trigger ${trigger}, tick ${tickSize}`)];
}

function marketFinding(exchange: string, status: unknown): Finding[] {
  const { exchanges } = status as { readonly exchanges: readonly Answer[] };
  const own = exchanges.find((one) => one.exchange === exchange);
  if (own === undefined) return [];
  return [finding('market', own.isOpen === 'true', `${exchange} is in phase ${own.phase}`)];
}

function finding(check: string, passes: boolean, detail: string): Finding {
  return { check, passes, detail };
}
