import type { ElementForm } from './element-reader.ts';
import { newScanPoint, type SpanDraft } from './span-draft.ts';
import { NOT_A_NUMBER, spanDecimal } from './span-numbers.ts';

type Form = ElementForm<SpanDraft>;

/**
 * The scenarios must be those of the house, in the same order: arrays of both kinds are added up. Of the last two only
 * the side is fixed.
 */
const PRICE_MOVES = [0, 0, 1, 1, -1, -1, 2, 2, -2, -2, 3, 3, -3, -3];
const EXTREME_SIDES = [1, -1];

/** `pointDef`: the scenarios that the arrays of the file are of. Source: market-rules R4.3. */
export function pointDef(): Form {
  const fraction = (part: 'price' | 'volatility'): Form => {
    const number = (name: 'numerator' | 'denominator'): Form => ({
      text: (draft, text) => {
        const value = spanDecimal(text);
        if (value === undefined) return NOT_A_NUMBER;
        draft.scanPoint[part][name] = value;
        return undefined;
      },
    });
    return { children: { numerator: number('numerator'), denominator: number('denominator') } };
  };
  return {
    children: {
      scanPointDef: {
        open: (draft) => {
          draft.scanPoint = newScanPoint();
        },
        children: {
          point: {
            text: (draft, text) => {
              draft.scanPoint.point = spanDecimal(text);
              return draft.scanPoint.point === undefined ? NOT_A_NUMBER : undefined;
            },
          },
          priceScanDef: fraction('price'),
          volScanDef: fraction('volatility'),
        },
        close: ({ scanPoint: { point, price, volatility } }) => {
          if (point === undefined) return 'point is missing';
          const priceMove = price.numerator / price.denominator;
          const volatilityMove = volatility.numerator / volatility.denominator;
          return isOurScenario(point, priceMove, volatilityMove) ? undefined : `scenario ${point} differs from ours`;
        },
      },
    },
  };
}

function isOurScenario(point: number, priceMove: number, volatilityMove: number): boolean {
  const move = PRICE_MOVES[point - 1];
  if (move !== undefined) return Math.round(priceMove * 3) === move && volatilityMove === (point % 2 === 1 ? 1 : -1);
  const side = EXTREME_SIDES[point - 1 - PRICE_MOVES.length];
  return side !== undefined && Math.sign(priceMove) === side && Math.abs(priceMove) > 1 && volatilityMove === 0;
}
