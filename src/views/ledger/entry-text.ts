import { formatRupees } from '../../base/decimal.ts';
import type { InstrumentId } from '../../base/ids.ts';
import type { PositionSettled } from '../../core/broker/settlement/settlement-events.ts';
import type { PositionConverted } from '../../core/event.ts';
import type { Cause, OwnTrade } from './ledger-entries.ts';

/** The trading symbol of an instrument. */
export type NameOf = (instrument: InstrumentId) => string;

type TextOf<C extends Cause> = (cause: C, nameOf: NameOf) => string;

/** The words of what moves money. */
const TEXTS: { readonly [Type in Cause['type']]?: TextOf<Extract<Cause, { type: Type }>> } = {
  OwnTrade: tradeText,
  PositionConverted: conversionText,
  PositionSettled: settlementText,
  PositionMarked: ({ instrument, price }, nameOf) => `${nameOf(instrument)} marked to market at ${formatRupees(price)}`,
  SharesSettled: () => 'deliveries of the day',
  ConversionCharged: ({ quantity, instrument, from, to }, nameOf) =>
    `charges of ${quantity} ${nameOf(instrument)} converted from ${from} to ${to}`,
  ChargesPosted: ({ paid }) => (paid === undefined ? 'charges of the day' : 'charges of the day but for conversions'),
  CashDeposited: ({ opening }) => (opening ? 'opening balance' : 'paid in'),
  CashPaidOut: () => 'paid out',
  DividendPaid: ({ units, instrument, dividend }, nameOf) =>
    `dividend of ${formatRupees(dividend)} on ${units} ${nameOf(instrument)}`,
  HoldingAdjusted: ({ instrument }, nameOf) => `fraction of a share of ${nameOf(instrument)}`,
  PositionAdjusted: ({ from, instrument }, nameOf) => `fraction of ${nameOf(from)} that became ${nameOf(instrument)}`,
};

/** The cause of a movement of money, in words for the account whose money it moved. */
export function entryText(cause: Cause, nameOf: NameOf): string {
  const text: TextOf<never> | undefined = TEXTS[cause.type];
  return text === undefined ? spaced(cause.type) : text(cause as never, nameOf);
}

function tradeText({ trade, instrument, side, quantity, price }: OwnTrade, nameOf: NameOf): string {
  const done = side === 'B' ? 'bought' : 'sold';
  return `${done} ${quantity} ${nameOf(instrument)} at ${formatRupees(price)}, trade ${trade}`;
}

function conversionText({ instrument, quantity, from, to }: PositionConverted, nameOf: NameOf): string {
  return `converted ${quantity} ${nameOf(instrument)} from ${from} to ${to}`;
}

function settlementText(event: PositionSettled, nameOf: NameOf): string {
  const done = event.side === 'B' ? 'bought' : 'sold';
  const at = formatRupees(event.price);
  return `${spaced(event.reason)}: ${done} ${event.quantity} ${nameOf(event.instrument)} at ${at}`;
}

/** `DayRolled` as `day rolled`. */
function spaced(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
