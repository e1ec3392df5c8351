import assert from 'node:assert/strict';
import test from 'node:test';
import { type Paise, paise, price, quantity } from '../../base/money.ts';
import type { Refusal } from './refusal.ts';
import { refusalText } from './refusal-text.ts';

const units = quantity(9_000);
const TEXTS: readonly (readonly [Refusal, string])[] = [
  [{ rule: 'ProductNotEnabled', product: 'C', exchange: 'NFO' }, 'ORA:Product Delivery not enabled on exchange NFO'],
  [{ rule: 'NotTradable' }, '16387:Security is not allowed to trade in this market.'],
  [{ rule: 'MarketClosed' }, 'ORA:AMO is stopped'],
  [{ rule: 'TriggerAlreadyCrossed', trigger: price(1), last: price(1) }, '16423:Invalid trigger price.'],
  [
    { rule: 'LimitWorseThanTrigger', trigger: price(1), limit: price(1) },
    '16315:The limit price is worse than the trigger price.',
  ],
  [{ rule: 'NotALotMultiple', quantity: units, lot: units }, '16328:Quantity is not a multiple of regular lot.'],
  [
    { rule: 'AboveFreezeQuantity', freeze: quantity(5_000), quantity: units },
    'RED:Freeze qty Set:5000 Current:9000 for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'PriceOffTick', price: price(1), tick: price(5) },
    '16283:The order price is not multiple of the tick size.',
  ],
  [
    { rule: 'TriggerOffTick', trigger: price(1), tick: price(5) },
    '16316:The trigger price is not multiple of the tick size.',
  ],
  [
    {
      rule: 'OutsidePriceBand',
      price: price(3_999_00),
      lower: price(3_215_80),
      upper: price(3_930_40),
      name: 'NSE.SIEMENS-EQ',
    },
    'RED:RULE:{Check circuit limit including square off order}Current:INR 3999.00 LowerCircuit:INR 3215.80 ' +
      'UpperCircuit:INR 3930.40:NSE.SIEMENS-EQ for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'AboveOrderValueCap', value: 10_000_000_100 as Paise, cap: paise(10_000_000_000) },
    'RED:RULE:{Check single order value}Current:INR 100000001.00 Set:INR 100000000.00 for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'NoHoldings' },
    'RED:RULE:{Check Holdings Including BTST except t2t}No Holdings uploaded for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'NotEnoughHoldings', eligible: quantity(95), quantity: quantity(96) },
    'RED:RULE:{Check Holdings Including BTST}Eligible Sell:95',
  ],
  [
    { rule: 'IntradayNotAllowed', product: 'I' },
    'RED:RULE:{Intraday not allowed for T2T scrip}Product:I for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'MarginShortfall', required: paise(437_877), available: paise(7_709) },
    'RED:Margin Shortfall:INR 4,301.68 Available:INR 77.09 for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'MarginShortfall', required: paise(100_000_00), available: paise(-1_234_50) },
    'RED:Margin Shortfall:INR 101,234.50 Available:INR -1,234.50 for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'IntradayAfterSquareOff' },
    'RED:Intraday orders are disallowed after system square off for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'BanPeriod', net: 500, after: 1_000 },
    'RED:RULE:{Check ban period}Only reduction of position allowed for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'DeliveredToday' },
    'RED:RULE:{Check physical delivery}New long options are disallowed on expiry day for C-GH1695 [ONLINE]',
  ],
  [
    { rule: 'CollateralNotAllowed', shortfall: paise(1_00) },
    'RED:RULE:{Dont allow collateral and daylong cash for CAC/OPTION buy}Shortfall:INR 1.00',
  ],
  [{ rule: 'ConversionAfterSquareOff' }, 'RED:Product Conversions are disallowed after system square off'],
  [{ rule: 'SelfTrade' }, '17080:The order could have resulted in self-trade'],
  [{ rule: 'OrderNotFound' }, 'order not found or invalid'],
  [{ rule: 'NotOpenToModify' }, 'SAF:order is not open to modify'],
  [{ rule: 'NotOpenToCancel' }, 'SAF:order is not open to cancel'],
  [
    { rule: 'QuantityNotAboveFilled', quantity: units, filled: units },
    'SAF:order quantity less than or equal to filled quantity',
  ],
  [
    { rule: 'AboveWithdrawable', amount: paise(100_00), withdrawable: paise(99_50) },
    'INR 100.00 cannot be paid out: INR 99.50 is free without collateral and open losses',
  ],
  [
    { rule: 'NotEnoughToPledge', quantity: units, free: quantity(5) },
    '9000 shares cannot be pledged: 5 are settled, not sold and not pledged',
  ],
  [{ rule: 'NotPledged', quantity: units, pledged: quantity(5) }, '9000 shares cannot be released: 5 are pledged'],
  [
    { rule: 'CollateralInUse', released: paise(100_00), available: paise(99_50) },
    'INR 100.00 of collateral is in use: INR 99.50 is available',
  ],
  [{ rule: 'GttNotFound' }, 'GTT not found or invalid'],
  [{ rule: 'GttNotActive' }, 'GTT is not active'],
  [{ rule: 'GttOfAnotherInstrument' }, 'GTT is for another instrument'],
  [{ rule: 'TooManyWaiting', most: 1_000 }, 'ORA:Maximum after-market orders (1000) reached'],
  [{ rule: 'TooManyGtts', most: 100 }, 'GTT:Maximum active GTTs (100) reached'],
  [{ rule: 'NumbersUsedUp' }, 'no number is left for today; nothing was done'],
  [{ rule: 'GttsFull' }, 'GTT:The service holds as many active GTTs as it can, over all instruments or for this one'],
  [
    { rule: 'GttTriggerTooClose', trigger: price(8_15), last: price(8_14) },
    'GTT:Trigger INR 8.15 is too close to the last price INR 8.14',
  ],
  [
    { rule: 'GttTriggersOnOneSide', last: price(8_14) },
    'GTT:One trigger must be above and one below the last price INR 8.14',
  ],
  [{ rule: 'GttTriggerMissing' }, 'GTT:A new second leg needs a trigger'],
  [{ rule: 'InvalidPositionType' }, 'Invalid Input :  Invalid Position Type'],
];

test('every refusal has the text that the rules print', () => {
  for (const [refusal, text] of TEXTS) assert.equal(refusalText(refusal, { userId: 'GH1695' }), text, refusal.rule);
});

test('the text for an untraded security has the code of its segment', () => {
  const text = (kind: 'equity' | 'option') => refusalText({ rule: 'NoMarketReference' }, { userId: 'X', kind });
  assert.equal(text('equity'), '17182:Security/Contract not traded. Market order not allowed.');
  assert.equal(text('option'), '17181:Security/Contract not traded. Market order not allowed.');
});
