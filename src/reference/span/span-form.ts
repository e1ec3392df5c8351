/**
 * The form of `spanFile`: the XML of PC-SPAN 4 as the clearing corporations of India publish it, element by element
 * with the checks of each. The XML itself is read by `element-reader.ts`. Source: market-rules R4.3 to R4.9.
 */
import type { IstDay } from '../../base/time.ts';
import { spanKey } from '../../core/margin/rates/span-file.ts';
import { ccDef } from './commodity-form.ts';
import type { ElementForm } from './element-reader.ts';
import { pointDef } from './scan-points-form.ts';
import { type ContractDraft, SCENARIO_COUNT, type SpanDraft } from './span-draft.ts';
import {
  arrayUnits,
  deltaUnits,
  figureFault,
  NOT_A_NUMBER,
  only,
  spanDay,
  spanDecimal,
  spanPrice,
} from './span-numbers.ts';

type Form = ElementForm<SpanDraft>;

const NOT_A_PRICE = 'this is not a price in rupees';
const NOT_A_DAY = 'this is not a date of the form YYYYMMDD';

export const SPAN_FILE: Form = {
  children: {
    fileFormat: {
      text: (draft, text) => {
        draft.format = text;
        return text.startsWith('4.') ? undefined : `the format is ${text}; 4 is read`;
      },
    },
    pointInTime: {
      open: (draft) => {
        draft.points += 1;
      },
      children: {
        date: {
          text: (draft, text) => {
            draft.day = spanDay(text);
            return draft.day === undefined ? NOT_A_DAY : undefined;
          },
        },
        clearingOrg: { children: { pointDef: pointDef(), ccDef: ccDef(), exchange: exchange() } },
      },
      close: (draft) => {
        if (draft.points > 1) return 'there is more than one pointInTime';
        return draft.day === undefined ? 'date is missing' : undefined;
      },
    },
  },
  close: (draft) => {
    if (draft.format === undefined) return 'fileFormat is missing';
    if (draft.points === 0) return 'pointInTime is missing';
    const empty = [...draft.underlyings.values()].every(({ contracts }) => contracts.size === 0);
    return empty ? 'no contract is in it' : undefined;
  },
};

function exchange(): Form {
  const portfolio = (children: NonNullable<Form['children']>, close?: Form['close']): Form => ({
    open: (draft) => {
      draft.portfolio = { code: undefined, spot: undefined };
    },
    children: {
      pfCode: {
        text: (draft, text) => {
          draft.portfolio.code = text;
          return text === '' ? 'the code is empty' : undefined;
        },
      },
      cvf: { text: (_, text) => only(text, 1) },
      ...children,
    },
    close: (draft) => {
      if (draft.exchange === undefined) return 'exch must come before it';
      return draft.portfolio.code === undefined ? 'pfCode is missing' : close?.(draft);
    },
  });
  return {
    children: {
      exch: { text: readExchange },
      phyPf: portfolio({ phy: { children: { p: { text: readSpot } } } }, closePhysical),
      futPf: portfolio({ fut: contract({ pe: { text: readExpiry } }) }),
      oopPf: portfolio({ series: series() }),
    },
    close: (draft) => (draft.exchange === undefined ? 'exch is missing' : undefined),
  };
}

function readExchange(draft: SpanDraft, text: string): string | undefined {
  if (draft.exchange !== undefined) return 'there is more than one exchange';
  draft.exchange = text === 'NSE' ? 'NFO' : text === 'BSE' ? 'BFO' : undefined;
  return draft.exchange === undefined ? `the exchange is ${text}; NSE and BSE are read` : undefined;
}

function readSpot({ portfolio }: SpanDraft, text: string): string | undefined {
  portfolio.spot = spanPrice(text);
  return portfolio.spot === undefined ? NOT_A_PRICE : undefined;
}

function closePhysical(draft: SpanDraft): string | undefined {
  const { code = '', spot } = draft.portfolio;
  if (spot === undefined) return 'phy/p is missing';
  if (draft.pricedCodes.has(code)) return `${code} has two prices`;
  draft.pricedCodes.add(code);
  const symbol = symbolOf(draft, code);
  const underlying = draft.underlyingOf(symbol);
  if (underlying.spot !== undefined && underlying.spot !== spot) return `${code} has another price of ${symbol}`;
  underlying.spot = spot;
  return undefined;
}

function series(): Form {
  return {
    open: (draft) => {
      draft.seriesExpiry = undefined;
    },
    children: {
      pe: {
        text: (draft, text) => {
          draft.seriesExpiry = spanDay(text);
          return draft.seriesExpiry === undefined ? NOT_A_DAY : undefined;
        },
      },
      cvf: { text: (_, text) => only(text, 1) },
      sc: { text: (_, text) => only(text, 1) },
      opt: contract({ o: { text: readOptionType }, k: { text: readStrike } }),
    },
    close: (draft) => (draft.seriesExpiry === undefined ? 'pe is missing' : undefined),
  };
}

function readExpiry({ contract }: SpanDraft, text: string): string | undefined {
  contract.expiry = spanDay(text);
  return contract.expiry === undefined ? NOT_A_DAY : undefined;
}

function readOptionType({ contract }: SpanDraft, text: string): string | undefined {
  contract.optionType = text === 'C' ? 'CE' : text === 'P' ? 'PE' : undefined;
  return contract.optionType === undefined ? `the option is ${text}; C and P are read` : undefined;
}

function readStrike({ contract }: SpanDraft, text: string): string | undefined {
  const strike = spanPrice(text);
  contract.strike = strike;
  return strike === undefined || strike === 0 ? NOT_A_PRICE : undefined;
}

/** A future, or an option of the series that it stands in. */
function contract(own: NonNullable<Form['children']>): Form {
  return {
    open: (draft) => {
      draft.contract = draft.newContract();
    },
    children: {
      ...own,
      p: {
        text: (draft, text) => {
          draft.contract.price = spanPrice(text);
          return draft.contract.price === undefined ? NOT_A_PRICE : undefined;
        },
      },
      cvf: { text: (_, text) => only(text, 1) },
      sc: { text: (_, text) => only(text, 1) },
      ra: riskArray(),
    },
    close: (draft) => keep(draft, 'k' in own),
  };
}

function riskArray(): Form {
  return {
    open: (draft) => {
      draft.array = { first: true, count: 0, delta: undefined };
    },
    children: {
      r: {
        text: (draft, text) => {
          const rate = spanDecimal(text);
          draft.array.first = rate === 1;
          return rate === undefined ? NOT_A_NUMBER : undefined;
        },
      },
      a: { text: readLoss },
      d: {
        text: ({ array }, text) => {
          array.delta = deltaUnits(text);
          return array.delta === undefined ? 'this is not a delta from -1 to 1' : undefined;
        },
      },
    },
    close: ({ array, contract }) => {
      if (array.count !== SCENARIO_COUNT) return `it has ${array.count} values, not ${SCENARIO_COUNT}`;
      if (array.delta === undefined) return 'd is missing';
      if (!array.first) return undefined;
      if (contract.delta !== undefined) return 'the contract has two risk arrays';
      contract.delta = array.delta;
      return undefined;
    },
  };
}

function readLoss({ array, contract }: SpanDraft, text: string): string | undefined {
  const loss = arrayUnits(text);
  if (loss === undefined) return figureFault(text);
  if (array.first && array.count < SCENARIO_COUNT) contract.losses[array.count] = loss;
  array.count += 1;
  return undefined;
}

function keep(draft: SpanDraft, isOption: boolean): string | undefined {
  const { contract, seriesExpiry, portfolio } = draft;
  const { price, delta, losses } = contract;
  if (draft.exchange === undefined) return 'exch must come before it';
  if (portfolio.code === undefined) return 'pfCode must come before it';
  if (price === undefined) return 'p is missing';
  if (delta === undefined) return 'ra is missing';
  const key = isOption ? optionKey(contract, seriesExpiry) : futureKey(contract);
  if ('missing' in key) return `${key.missing} is missing`;
  if (draft.keep(symbolOf(draft, portfolio.code), key.key, { price, losses, delta })) return undefined;
  return 'the contract is there twice';
}

type Key = { readonly key: string } | { readonly missing: string };

function futureKey({ expiry }: ContractDraft): Key {
  return expiry === undefined ? { missing: 'pe' } : { key: spanKey(expiry) };
}

function optionKey({ strike, optionType }: ContractDraft, expiry: IstDay | undefined): Key {
  if (expiry === undefined) return { missing: 'pe of the series' };
  if (optionType === undefined) return { missing: 'o' };
  return strike === undefined ? { missing: 'k' } : { key: spanKey(expiry, { strike, optionType }) };
}

/** BSE's codes of its indices, in its file for futures and for options; all other codes are symbols. */
const BSE_INDICES: Readonly<Record<string, string>> = {
  BSX: 'SENSEX',
  BSXOPT: 'SENSEX',
  BKX: 'BANKEX',
  BKXOPT: 'BANKEX',
};

/** The symbol that the master has for a code of the file. */
export function symbolOf({ exchange }: Pick<SpanDraft, 'exchange'>, code: string): string {
  return (exchange === 'BFO' ? BSE_INDICES[code] : undefined) ?? code;
}
