import { type Paise, scaleHalfUp, ZERO_PAISE } from '../../base/money.ts';
import type { Position } from '../account.ts';
import type { DecisionPorts } from '../ports.ts';
import { netQuantity, openAmount } from '../position.ts';
import { BASIS_POINTS } from './fixed-point.ts';
import { openingShare } from './rates/opening-share.ts';
import { riskSheet, type ShareRisk } from './risk-sheet.ts';

/**
 * The margin of one row of shares, in paise: the full value of delivery buys that rest, and of intraday rows the
 * share's rate of the larger of two worlds, all open buys filled or all open sells. Source: market-rules R4.20 to
 * R4.23, R4.27.
 */
export function sharesMargin(ports: DecisionPorts, row: Position): Paise {
  if (row.product === 'C') return row.openBuyAmount;
  const net = netQuantity(row);
  if (net === 0 && row.openBuyQuantity === 0 && row.openSellQuantity === 0) return ZERO_PAISE;
  const share = riskSheet(ports).share(row.instrument);
  const held = openAmount(row);
  const long = Math.max(0, net);
  const short = Math.max(0, -net);
  const bought = openingShare(row.openBuyAmount, row.openBuyQuantity, short);
  const sold = openingShare(sellValue(share, row), row.openSellQuantity, long);
  // The held shares that closing orders leave are fewer than all held shares, and the other world has all of them.
  const up = net >= 0 ? held + bought : bought;
  const down = net <= 0 ? held + sold : sold;
  return scaleHalfUp(Math.max(up, down) as Paise, share.rate.upfront, BASIS_POINTS);
}

/**
 * Open sells at their limits or the price of the figures, whichever is higher: a short may be filled far above a low
 * limit. Source: R4.23.
 */
function sellValue({ price }: ShareRisk, row: Position): Paise {
  if (row.openSellQuantity === 0) return ZERO_PAISE;
  return Math.max(row.openSellAmount, row.openSellQuantity * price) as Paise;
}
