import { EXCHANGES, type InstrumentId, type OrderNumber } from '../../base/ids.ts';
import { isJsonObject } from '../../base/json.ts';
import type { GatewayDeps } from '../deps.ts';
import type { Picked } from '../fields/request.ts';
import { decodeSymbol } from '../fields/symbols.ts';

/** The most rows of a list that are looked at: no operation takes more. */
const MOST_ROWS = 100;

type Directory = Pick<GatewayDeps, 'engine' | 'instruments'>;

/**
 * Whether a request names an instrument: by exchange and symbol, in a row of a list, or by the number of an order. Its
 * fields are as they came: a field of another shape names nothing.
 */
export function namesInstrument(deps: Directory, picked: Picked, id: InstrumentId): boolean {
  if (isNamed(deps, picked, id)) return true;
  const { orderNumber } = picked;
  if (typeof orderNumber === 'string' && instrumentOfOrder(deps, orderNumber) === id) return true;
  return Object.values(picked).some((list) => {
    return Array.isArray(list) && list.slice(0, MOST_ROWS).some((row) => isJsonObject(row) && isNamed(deps, row, id));
  });
}

function isNamed(
  { engine, instruments }: Directory,
  row: Readonly<Record<string, unknown>>,
  id: InstrumentId,
): boolean {
  const exchange = EXCHANGES.find((known) => known === row.exchange);
  if (exchange === undefined || typeof row.tradingSymbol !== 'string') return false;
  return instruments.find(exchange, decodeSymbol(row.tradingSymbol), engine.now())?.id === id;
}

function instrumentOfOrder({ engine }: Directory, number: string): InstrumentId | undefined {
  return engine.glance(({ orders }) => orders.get(Number(number) as OrderNumber))?.instrument;
}
