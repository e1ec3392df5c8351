/**
 * The text of every refusal, as clients of the wire and operators read it. The texts for clients are fixed by the
 * rules. Which rule refuses is decided elsewhere; here it only gets its words.
 */

import { formatRupees, formatRupeesWithCommas } from '../../base/decimal.ts';
import { subtractPaise } from '../../base/money.ts';
import { formatIsoDay, istDay } from '../../base/time.ts';
import { USUAL_RISK_GROUP } from '../broker/account/risk-group.ts';
import type { InstrumentKind } from '../instrument.ts';
import type { Product } from '../order.ts';
import { faultText } from '../scenarios/rules/fault-text.ts';
import type { Refusal } from './refusal.ts';

/** The client and the kind of instrument that a refusal concerns. */
export interface RefusalContext {
  readonly userId: string;
  /** The kind of the instrument, where there is one: the cash and the derivatives segment have codes of their own. */
  readonly kind?: InstrumentKind;
}

const PRODUCT_WORDS: Readonly<Record<Product, string>> = { C: 'Delivery', M: 'Regular', I: 'Intraday' };

/**
 * For an order that is refused, and for a stop whose limit is refused when it fires. Source: market-rules R1.46, R3.15.
 */
export const PROTECTION_TEXT = '17070:The Price is out of the current LPP range';

/** The refusals whose texts carry no numbers. */
const FIXED_TEXTS = {
  NotTradable: '16387:Security is not allowed to trade in this market.',
  MarketClosed: 'ORA:AMO is stopped',
  EntryClosed: '16197:Order entry is closed in this session.',
  MarketOrdersOnly: 'Only market orders are currently allowed.',
  StopNotAllowedNow: '16441:Stop loss orders are not allowed in this session.',
  ImmediateNotAllowedNow: '16388:IOC orders are not allowed in this session.',
  InstrumentSuspended: '16330:Security suspended',
  NoTape: '16330:Security suspended: no tape has it',
  MarketHalted: '16278:The markets have not been opened for trading.',
  OnlyImmediateOrders: 'ONLY IOC ORDER ALLOWED IN RRM MODE',
  TriggerAlreadyCrossed: '16423:Invalid trigger price.',
  LimitWorseThanTrigger: '16315:The limit price is worse than the trigger price.',
  StopGapTooWide: '16448:Difference between limit price and trigger price is beyond permissible range',
  OutsideProtection: PROTECTION_TEXT,
  NotALotMultiple: '16328:Quantity is not a multiple of regular lot.',
  PriceOffTick: '16283:The order price is not multiple of the tick size.',
  TriggerOffTick: '16316:The trigger price is not multiple of the tick size.',
  SelfTrade: '17080:The order could have resulted in self-trade',
  OrderNotFound: 'order not found or invalid',
  NotOpenToModify: 'SAF:order is not open to modify',
  NotOpenToCancel: 'SAF:order is not open to cancel',
  QuantityNotAboveFilled: 'SAF:order quantity less than or equal to filled quantity',
  GttNotFound: 'GTT not found or invalid',
  GttNotActive: 'GTT is not active',
  GttOfAnotherInstrument: 'GTT is for another instrument',
  GttTriggerMissing: 'GTT:A new second leg needs a trigger',
  GttsFull: 'GTT:The service holds as many active GTTs as it can, over all instruments or for this one',
  NumbersUsedUp: 'no number is left for today; nothing was done',
  ConversionAfterSquareOff: 'RED:Product Conversions are disallowed after system square off',
  BandNotFixed: 'only a share without futures and options has a fixed band',
  NothingToBan: 'only the contracts of a share have a ban period',
  InvalidPositionType: 'Invalid Input :  Invalid Position Type',
  IdempotencyKeyReused: 'Idempotency-Key was used with another request',
  OneTimeCodeUsed: 'the one-time code was used before',
  AmountNotPositive: 'the amount must be above 0',
  TooMuchMoney: 'all accounts together would have more money than is counted exactly',
  TooManyShares: 'all accounts together would have more shares, or shares worth more, than the service counts exactly',
  CorporateActionUnknown: 'no corporate action of that share is announced for that day',
  TooManyAdjustments: 'the contracts of the share cannot be adjusted more often',
  WatchlistNotFound: 'watchlist not found',
  InstrumentFullOfAlerts: 'the instrument has as many active alerts of all users as it may',
  AlertNotFound: 'alert not found',
  AlertHasEnded: 'alert has ended',
  ScenarioUnknown: 'there is no such rule of outcomes',
} as const;

/** The rules whose texts carry numbers and are for operators alone. */
type OperatorRule =
  | 'AboveWithdrawable'
  | 'NotEnoughToPledge'
  | 'NotPledged'
  | 'CollateralInUse'
  | 'OrdersInAdjustedContracts'
  | 'ExDayNotAhead'
  | 'NotATradingDay'
  | 'CorporateActionExists'
  | 'FactorNotAllowed'
  | 'DividendTooLarge'
  | 'BandNotWider'
  | 'AddressesChangedLately'
  | 'AlgorithmNotRegistered'
  | 'UserExists'
  | 'ScenarioNotPossible'
  | 'TooManyScenarios';

/**
 * The text of a refusal, as a client of the wire reads it. RED speaks for the risk desk, ORA for order routing, SAF for
 * the state of orders, five digits for the exchange. Source: market-rules R3.5, R3.19, R3.20, R3.24 to R3.28, R5.15,
 * contract 3.12 to 3.19.
 */
export function refusalText(refusal: Refusal, context: RefusalContext): string {
  const { riskGroup = USUAL_RISK_GROUP.name } = refusal;
  const client = `for C-${context.userId} [${riskGroup}]`;
  switch (refusal.rule) {
    case 'ProductNotEnabled':
      return `ORA:Product ${PRODUCT_WORDS[refusal.product]} not enabled on exchange ${refusal.exchange}`;
    case 'MarketOrderNotAllowedNow':
      return refusal.exchange === 'NSE' || refusal.exchange === 'NFO'
        ? 'Market orders are currently not allowed.'
        : 'Market order cannot be placed during this period.';
    case 'TradingBlocked':
      return `RED:RULE:{Check kill switch}Trading is blocked by the risk desk ${client}`;
    case 'NotRecorded':
      return `16330:Security suspended: its tape has the days from ${formatIsoDay(refusal.from)} to ${formatIsoDay(refusal.to)}`;
    case 'AboveFreezeQuantity':
      return `RED:Freeze qty Set:${refusal.freeze} Current:${refusal.quantity} ${client}`;
    case 'OutsidePriceBand':
      return (
        `RED:RULE:{Check circuit limit including square off order}Current:INR ${formatRupees(refusal.price)} ` +
        `LowerCircuit:INR ${formatRupees(refusal.lower)} UpperCircuit:INR ${formatRupees(refusal.upper)}:${refusal.name} ${client}`
      );
    case 'AboveOrderValueCap':
      return (
        `RED:RULE:{Check single order value}Current:INR ${formatRupees(refusal.value)} ` +
        `Set:INR ${formatRupees(refusal.cap)} ${client}`
      );
    case 'NoHoldings':
      return `RED:RULE:{Check Holdings Including BTST except t2t}No Holdings uploaded ${client}`;
    case 'NotEnoughHoldings':
      return `RED:RULE:{Check Holdings Including BTST}Eligible Sell:${refusal.eligible}`;
    case 'IntradayNotAllowed':
      return `RED:RULE:{Intraday not allowed for T2T scrip}Product:${refusal.product} ${client}`;
    case 'NoMarketReference':
      return `${context.kind === 'equity' ? '17182' : '17181'}:Security/Contract not traded. Market order not allowed.`;
    case 'MarginShortfall': {
      const shortfall = formatRupeesWithCommas(subtractPaise(refusal.required, refusal.available));
      return `RED:Margin Shortfall:INR ${shortfall} Available:INR ${formatRupeesWithCommas(refusal.available)} ${client}`;
    }
    case 'IntradayAfterSquareOff':
      return `RED:Intraday orders are disallowed after system square off ${client}`;
    case 'BanPeriod':
      return `RED:RULE:{Check ban period}Only reduction of position allowed ${client}`;
    case 'DeliveredToday':
      return `RED:RULE:{Check physical delivery}New long options are disallowed on expiry day ${client}`;
    case 'CollateralNotAllowed':
      return (
        'RED:RULE:{Dont allow collateral and daylong cash for CAC/OPTION buy}' +
        `Shortfall:INR ${formatRupeesWithCommas(refusal.shortfall)}`
      );
    case 'RejectedOnDemand':
      return refusal.text;
    case 'TooManyWaiting':
    case 'TooManyGtts':
    case 'TooManyWatchlists':
    case 'TooManyAlerts':
      return fullText(refusal);
    case 'GttTriggerTooClose':
      return `GTT:Trigger INR ${formatRupees(refusal.trigger)} is too close to the last price INR ${formatRupees(refusal.last)}`;
    case 'GttTriggersOnOneSide':
      return `GTT:One trigger must be above and one below the last price INR ${formatRupees(refusal.last)}`;
    case 'ConversionNotAllowed':
      return `RED:RULE:{Check product conversion}${refusal.from} to ${refusal.to} not allowed ${client}`;
    case 'ConversionAbovePosition':
      return `RED:RULE:{Check product conversion}Current:${refusal.quantity} Position:${refusal.held} ${client}`;
    default:
      return operatorText(refusal);
  }
}

type FullRule = 'TooManyWaiting' | 'TooManyGtts' | 'TooManyWatchlists' | 'TooManyAlerts';

/** The texts for a user who has as many of a kind as one may have. */
function fullText({ rule, most }: Extract<Refusal, { rule: FullRule }>): string {
  switch (rule) {
    case 'TooManyWaiting':
      return `ORA:Maximum after-market orders (${most}) reached`;
    case 'TooManyGtts':
      return `GTT:Maximum active GTTs (${most}) reached`;
    case 'TooManyWatchlists':
      return `a user has at most ${most} watchlists`;
    default:
      return `a user has at most ${most} active alerts`;
  }
}

/** The texts for operators, and those that carry no numbers. */
function operatorText(refusal: Extract<Refusal, { rule: OperatorRule | keyof typeof FIXED_TEXTS }>): string {
  switch (refusal.rule) {
    case 'AboveWithdrawable':
      return `INR ${formatRupees(refusal.amount)} cannot be paid out: INR ${formatRupees(refusal.withdrawable)} is free without collateral and open losses`;
    case 'NotEnoughToPledge':
      return `${refusal.quantity} shares cannot be pledged: ${refusal.free} are settled, not sold and not pledged`;
    case 'NotPledged':
      return `${refusal.quantity} shares cannot be released: ${refusal.pledged} are pledged`;
    case 'CollateralInUse':
      return `INR ${formatRupees(refusal.released)} of collateral is in use: INR ${formatRupees(refusal.available)} is available`;
    case 'OrdersInAdjustedContracts':
      return `orders were taken for the ex-date ${formatIsoDay(refusal.exDay)} in contracts that exist by this action alone: it cannot be withdrawn`;
    case 'ExDayNotAhead':
      return `the ex-date ${formatIsoDay(refusal.exDay)} must lie after the trading day ${formatIsoDay(refusal.day)}, which has begun`;
    case 'NotATradingDay':
      return `${formatIsoDay(refusal.day)} is not a trading day`;
    case 'CorporateActionExists':
      return `a corporate action of the share is announced for ${formatIsoDay(refusal.exDay)} already`;
    case 'FactorNotAllowed':
      return `${refusal.after} for ${refusal.before} is neither a bonus nor a split: there must be more shares, and at most a hundred times as many`;
    case 'DividendTooLarge':
      return `a dividend of INR ${formatRupees(refusal.dividend)} is above half of the last close, INR ${formatRupees(refusal.close)}`;
    case 'BandNotWider':
      return `the band from INR ${formatRupees(refusal.lower)} to INR ${formatRupees(refusal.upper)} is as wide already`;
    case 'AddressesChangedLately':
      return `registered addresses change at most once a week: the next change may come on ${formatIsoDay(istDay(refusal.until))}`;
    case 'AlgorithmNotRegistered':
      return `${refusal.perSecond} orders a second are above the threshold of ${refusal.threshold}: that needs the id of a registered algorithm`;
    case 'UserExists':
      return `user ${refusal.userId} exists`;
    case 'ScenarioNotPossible':
      return faultText(refusal.effect, refusal.fault);
    case 'TooManyScenarios':
      return `there are ${refusal.most} rules of outcomes already, which is the most`;
    default:
      return FIXED_TEXTS[refusal.rule];
  }
}
