import { formatRupees } from '../base/decimal.ts';
import type { AccountId, InstrumentId } from '../base/ids.ts';
import type { PositionSettled } from '../core/broker/settlement/settlement-events.ts';
import type { Event, PositionConverted, Traded } from '../core/event.ts';

/** The trading symbol of an instrument. */
export type NameOf = (instrument: InstrumentId) => string;

type TextOf<E extends Event> = (event: E, account: AccountId, nameOf: NameOf) => string;

/** The words of events that move money. */
const TEXTS: { readonly [Type in Event['type']]?: TextOf<Extract<Event, { type: Type }>> } = {
  Traded: tradeText,
  PositionConverted: conversionText,
  PositionSettled: settlementText,
  PositionMarked: ({ instrument, price }, _, nameOf) =>
    `${nameOf(instrument)} marked to market at ${formatRupees(price)}`,
  SharesSettled: () => 'deliveries of the day',
  ConversionCharged: ({ quantity, instrument, from, to }, _, nameOf) =>
    `charges of ${quantity} ${nameOf(instrument)} converted from ${from} to ${to}`,
  ChargesPosted: ({ paid }) => (paid === undefined ? 'charges of the day' : 'charges of the day but for conversions'),
  CashDeposited: ({ opening }) => (opening ? 'opening balance' : 'paid in'),
  CashPaidOut: () => 'paid out',
  DividendPaid: ({ units, instrument, dividend }, _, nameOf) =>
    `dividend of ${formatRupees(dividend)} on ${units} ${nameOf(instrument)}`,
  HoldingAdjusted: ({ instrument }, _, nameOf) => `fraction of a share of ${nameOf(instrument)}`,
  PositionAdjusted: ({ from, instrument }, _, nameOf) =>
    `fraction of ${nameOf(from)} that became ${nameOf(instrument)}`,
};

/** The cause of a movement of money, in words for one of the accounts that it concerns. */
export function entryText(event: Event, account: AccountId, nameOf: NameOf): string {
  const text: TextOf<never> | undefined = TEXTS[event.type];
  return text === undefined ? spaced(event.type) : text(event as never, account, nameOf);
}

function tradeText({ buy, trade, instrument, quantity, price }: Traded, account: AccountId, nameOf: NameOf): string {
  const done = buy?.account === account ? 'bought' : 'sold';
  return `${done} ${quantity} ${nameOf(instrument)} at ${formatRupees(price)}, trade ${trade}`;
}

function conversionText({ instrument, quantity, from, to }: PositionConverted, _: AccountId, nameOf: NameOf): string {
  return `converted ${quantity} ${nameOf(instrument)} from ${from} to ${to}`;
}

function settlementText(event: PositionSettled, _: AccountId, nameOf: NameOf): string {
  const done = event.side === 'B' ? 'bought' : 'sold';
  const at = formatRupees(event.price);
  return `${spaced(event.reason)}: ${done} ${event.quantity} ${nameOf(event.instrument)} at ${at}`;
}

/** `DayRolled` as `day rolled`. */
function spaced(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
