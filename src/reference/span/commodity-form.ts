/**
 * The form of `ccDef`, the part of a SPAN file with the rates of all contracts on one underlying: the calendar charge
 * and the minimum of short options. The parts with contracts and risk arrays are in `span-form.ts`. Source:
 * market-rules R4.7, R4.8.
 */
import type { ElementForm } from './element-reader.ts';
import { newCommodity, type SpanDraft } from './span-draft.ts';
import { arrayUnits, figureFault, only } from './span-numbers.ts';

/** `ccDef`: the rates of everything that is written on one underlying. Source: market-rules R4.7, R4.8. */
export function ccDef(): ElementForm<SpanDraft> {
  return {
    open: (draft) => {
      draft.commodity = newCommodity();
    },
    children: {
      cc: {
        text: (draft, text) => {
          draft.commodity.code = text;
          return text === '' ? 'the code is empty' : undefined;
        },
      },
      currency: { text: (_, text) => (text === 'INR' ? undefined : `the currency is ${text}; INR is read`) },
      riskExponent: { text: (_, text) => only(text, 0) },
      somTiers: { children: { tier: { children: { rate: { children: { val: { text: readShortOptionMinimum } } } } } } },
      dSpread: {
        open: (draft) => {
          draft.commodity.spreadRate = undefined;
          draft.commodity.spreadMethod = undefined;
        },
        children: {
          chargeMeth: {
            text: (draft, text) => {
              draft.commodity.spreadMethod = text;
              return undefined;
            },
          },
          rate: { children: { val: { text: readSpreadRate } } },
          pLeg: { children: { i: { text: (_, text) => only(text, 1) } } },
        },
        close: closeSpread,
      },
    },
    close: ({ commodity, commodities }) => {
      const { code, calendarRate, shortOptionMinimum } = commodity;
      if (code === undefined) return 'cc is missing';
      if (commodities.has(code)) return `${code} is defined twice`;
      commodities.set(code, { calendarRate, shortOptionMinimum });
      return undefined;
    },
  };
}

function readShortOptionMinimum({ commodity }: SpanDraft, text: string): string | undefined {
  const rate = arrayUnits(text);
  if (rate === undefined || rate < 0) return figureFault(text);
  commodity.shortOptionMinimum = Math.max(commodity.shortOptionMinimum, rate);
  return undefined;
}

function readSpreadRate({ commodity }: SpanDraft, text: string): string | undefined {
  const rate = arrayUnits(text);
  if (rate === undefined || rate < 0) return figureFault(text);
  commodity.spreadRate ??= rate;
  return undefined;
}

/** All spreads of one underlying are charged alike by us: at the dearest rate, so never too low. */
function closeSpread({ commodity }: SpanDraft): string | undefined {
  const { spreadRate, spreadMethod, calendarRate } = commodity;
  if (spreadRate === undefined) return 'rate is missing';
  if (spreadMethod !== undefined && spreadMethod !== 'F') return `the charge is ${spreadMethod}; F (flat) is read`;
  commodity.calendarRate = Math.max(calendarRate ?? 0, spreadRate);
  return undefined;
}
