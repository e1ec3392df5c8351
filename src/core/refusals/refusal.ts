/**
 * A refusal as a value: the rule that was broken, with its numbers. It holds no text, so that the journal stays free of
 * wording.
 */

import type { Exchange } from '../../base/ids.ts';
import type { Paise, Price, Quantity } from '../../base/money.ts';
import type { IstDay, WallMs } from '../../base/time.ts';
import type { Product } from '../order.ts';
import type { ScenarioEffect, ScenarioFault } from '../scenarios/rules/scenario-effect.ts';

/**
 * Why the broker or the exchange refused: the broken rule and its numbers. `refusal-text.ts` turns it into the text of
 * the wire. Source: market-rules R3.5, contract W6.
 */
export type Refusal = BrokenRule & {
  /** The name of the client's risk group at that moment; absent for the usual one. Source: market-rules R3.28. */
  readonly riskGroup?: string;
};

/** In the order of the checks. */
type BrokenRule =
  | { readonly rule: 'ProductNotEnabled'; readonly product: Product; readonly exchange: Exchange }
  | { readonly rule: 'NotTradable' }
  | { readonly rule: 'MarketClosed' }
  | { readonly rule: 'EntryClosed' }
  | { readonly rule: 'MarketOrderNotAllowedNow'; readonly exchange: Exchange }
  | { readonly rule: 'MarketOrdersOnly' }
  | { readonly rule: 'StopNotAllowedNow' }
  | { readonly rule: 'ImmediateNotAllowedNow' }
  | { readonly rule: 'TradingBlocked' }
  | { readonly rule: 'InstrumentSuspended' }
  | { readonly rule: 'MarketHalted' }
  | { readonly rule: 'NotRecorded'; readonly from: IstDay; readonly to: IstDay }
  | { readonly rule: 'NoTape' }
  | { readonly rule: 'OnlyImmediateOrders' }
  | { readonly rule: 'TriggerAlreadyCrossed'; readonly trigger: Price; readonly last: Price }
  | { readonly rule: 'LimitWorseThanTrigger'; readonly trigger: Price; readonly limit: Price }
  | { readonly rule: 'StopGapTooWide'; readonly trigger: Price; readonly limit: Price; readonly widest: Price }
  | { readonly rule: 'OutsideProtection'; readonly price: Price; readonly lower: Price; readonly upper: Price }
  | { readonly rule: 'NotALotMultiple'; readonly quantity: Quantity; readonly lot: Quantity }
  | { readonly rule: 'AboveFreezeQuantity'; readonly freeze: Quantity; readonly quantity: Quantity }
  | { readonly rule: 'PriceOffTick'; readonly price: Price; readonly tick: Price }
  | { readonly rule: 'TriggerOffTick'; readonly trigger: Price; readonly tick: Price }
  | {
      readonly rule: 'OutsidePriceBand';
      readonly price: Price;
      readonly lower: Price;
      readonly upper: Price;
      readonly name: string;
    }
  | { readonly rule: 'AboveOrderValueCap'; readonly value: Paise; readonly cap: Paise }
  | { readonly rule: 'NoHoldings' }
  | { readonly rule: 'NotEnoughHoldings'; readonly eligible: Quantity; readonly quantity: Quantity }
  | { readonly rule: 'IntradayNotAllowed'; readonly product: Product }
  | { readonly rule: 'NoMarketReference' }
  | { readonly rule: 'MarginShortfall'; readonly required: Paise; readonly available: Paise }
  | { readonly rule: 'IntradayAfterSquareOff' }
  | { readonly rule: 'BanPeriod'; readonly net: number; readonly after: number }
  | { readonly rule: 'DeliveredToday' }
  | { readonly rule: 'CollateralNotAllowed'; readonly shortfall: Paise }
  | { readonly rule: 'RejectedOnDemand'; readonly text: string }
  | { readonly rule: 'TooManyWaiting'; readonly most: number }
  | { readonly rule: 'SelfTrade' }
  | { readonly rule: 'OrderNotFound' }
  | { readonly rule: 'NotOpenToModify' }
  | { readonly rule: 'NotOpenToCancel' }
  | { readonly rule: 'QuantityNotAboveFilled'; readonly quantity: Quantity; readonly filled: Quantity }
  | { readonly rule: 'GttNotFound' }
  | { readonly rule: 'GttNotActive' }
  | { readonly rule: 'GttOfAnotherInstrument' }
  | { readonly rule: 'TooManyGtts'; readonly most: number }
  | { readonly rule: 'GttsFull' }
  | { readonly rule: 'NumbersUsedUp' }
  | { readonly rule: 'GttTriggerTooClose'; readonly trigger: Price; readonly last: Price }
  | { readonly rule: 'GttTriggerMissing' }
  | { readonly rule: 'GttTriggersOnOneSide'; readonly last: Price }
  | { readonly rule: 'InvalidPositionType' }
  | { readonly rule: 'ConversionAfterSquareOff' }
  | { readonly rule: 'ConversionNotAllowed'; readonly from: Product; readonly to: Product }
  | { readonly rule: 'ConversionAbovePosition'; readonly quantity: Quantity; readonly held: Quantity }
  | { readonly rule: 'IdempotencyKeyReused' }
  | { readonly rule: 'OneTimeCodeUsed' }
  | { readonly rule: 'UserExists'; readonly userId: string }
  | { readonly rule: 'NothingToBan' }
  | { readonly rule: 'BandNotFixed' }
  | { readonly rule: 'BandNotWider'; readonly lower: Price; readonly upper: Price }
  | { readonly rule: 'AboveWithdrawable'; readonly amount: Paise; readonly withdrawable: Paise }
  | { readonly rule: 'NotEnoughToPledge'; readonly quantity: Quantity; readonly free: Quantity }
  | { readonly rule: 'NotPledged'; readonly quantity: Quantity; readonly pledged: Quantity }
  | { readonly rule: 'CollateralInUse'; readonly released: Paise; readonly available: Paise }
  | { readonly rule: 'AddressesChangedLately'; readonly until: WallMs }
  | { readonly rule: 'AlgorithmNotRegistered'; readonly perSecond: number; readonly threshold: number }
  | { readonly rule: 'AmountNotPositive' }
  | { readonly rule: 'TooMuchMoney' }
  | { readonly rule: 'TooManyShares' }
  | { readonly rule: 'OrdersInAdjustedContracts'; readonly exDay: IstDay }
  | { readonly rule: 'ExDayNotAhead'; readonly exDay: IstDay; readonly day: IstDay }
  | { readonly rule: 'NotATradingDay'; readonly day: IstDay }
  | { readonly rule: 'CorporateActionExists'; readonly exDay: IstDay }
  | { readonly rule: 'CorporateActionUnknown' }
  | { readonly rule: 'FactorNotAllowed'; readonly before: number; readonly after: number }
  | { readonly rule: 'DividendTooLarge'; readonly dividend: Price; readonly close: Price }
  | { readonly rule: 'TooManyAdjustments' }
  | { readonly rule: 'TooManyWatchlists'; readonly most: number }
  | { readonly rule: 'WatchlistNotFound' }
  | { readonly rule: 'TooManyAlerts'; readonly most: number }
  | { readonly rule: 'InstrumentFullOfAlerts' }
  | { readonly rule: 'AlertNotFound' }
  | { readonly rule: 'AlertHasEnded' }
  | { readonly rule: 'ScenarioNotPossible'; readonly effect: ScenarioEffect; readonly fault: ScenarioFault }
  | { readonly rule: 'TooManyScenarios'; readonly most: number }
  | { readonly rule: 'ScenarioUnknown' };

/** True for a refusal that was read from a store. It is kept as it was recorded: its figures are those of its rule. */
export function isRefusal(found: object): found is Refusal {
  return 'rule' in found && typeof found.rule === 'string';
}
