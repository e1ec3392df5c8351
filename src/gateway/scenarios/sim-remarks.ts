/**
 * Remarks that ask for an outcome: `sim:` and words with `;` between them, such as `sim:fill=10;cancel-after=2000`.
 * They are read only where outcomes can be asked for, and are ordinary remarks elsewhere. Source: docs/outcomes.md.
 */

import type { Quantity } from '../../base/money.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { OrderTerms } from '../../core/order.ts';
import type { OrderScenario } from '../../core/scenarios/order-scenario.ts';
import { badRequest, type Failure } from '../fields/envelope.ts';

const PREFIX = 'sim:';
/** An hour. */
const MOST_MS = 3_600_000;
/** The fills are one record of the journal. */
const MOST_FILLS = 100;

type Draft = { -readonly [Field in keyof OrderScenario]: OrderScenario[Field] | undefined };

/** A word of a remark: the values that it takes, and their meaning. `read` is false for any other value. */
interface Word {
  /** The words that follow "takes". */
  readonly takes: string;
  readonly read: (draft: Draft, value: string | undefined) => boolean;
}

const WORDS: ReadonlyMap<string, Word> = new Map(
  Object.entries({
    reject: {
      takes: 'a text',
      read: (draft, value = '') => {
        draft.reject = value.trim();
        return draft.reject !== '';
      },
    },
    fill: {
      takes: 'a whole number of units, or 1% to 99%',
      read: readFill,
    },
    fills: {
      takes: `a number from 1 to ${MOST_FILLS}`,
      read: (draft, value) => {
        draft.fills = whole(value, 1, MOST_FILLS);
        return draft.fills !== undefined;
      },
    },
    'cancel-after': timed(1, 'cancelAfter'),
    hold: flag('hold'),
    'ack-delay': timed(1, 'ackDelay'),
    'late-fill': timed(0, 'lateFill'),
    'lost-answer': flag('lostAnswer'),
    'duplicate-frame': flag('duplicateFrame'),
  } satisfies Record<string, Word>),
);

function timed(least: number, field: 'cancelAfter' | 'ackDelay' | 'lateFill'): Word {
  const read = (draft: Draft, value: string | undefined): boolean => {
    draft[field] = whole(value, least, MOST_MS);
    return draft[field] !== undefined;
  };
  return { takes: `milliseconds from ${least} to ${MOST_MS}`, read };
}

function flag(field: 'hold' | 'lostAnswer' | 'duplicateFrame'): Word {
  const read = (draft: Draft, value: string | undefined): boolean => {
    draft[field] = true;
    return value === undefined;
  };
  return { takes: 'no value', read };
}

function readFill(draft: Draft, value = ''): boolean {
  if (value.endsWith('%')) draft.fillPercent = whole(value.slice(0, -1), 1, 99);
  else draft.fill = whole(value, 1, Number.MAX_SAFE_INTEGER) as Quantity | undefined;
  return (draft.fillPercent ?? draft.fill) !== undefined;
}

function whole(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || !/^(0|[1-9]\d{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

/** An order as far as its outcome depends on it. */
interface Asked {
  readonly remarks: string;
  readonly terms: Pick<OrderTerms, 'quantity'>;
  readonly lot: Instrument['lot'];
}

/**
 * The outcome that the remarks of an order ask for: nothing where they do not begin with `sim:`, and a failure where
 * they do and cannot be understood.
 */
export function scenarioOf(order: Asked): OrderScenario | Failure | undefined {
  if (!order.remarks.startsWith(PREFIX)) return undefined;
  const draft: Draft = {};
  const seen = new Set<string>();
  for (const part of order.remarks.slice(PREFIX.length).split(';')) {
    const fault = readWord(draft, seen, part.trim());
    if (fault !== undefined) return wrong(fault);
  }
  const fault = contradictionIn(draft) ?? misfit(draft, order);
  return fault === undefined ? inOneOrder(draft) : wrong(fault);
}

function readWord(draft: Draft, seen: Set<string>, part: string): string | undefined {
  const at = part.indexOf('=');
  const name = (at < 0 ? part : part.slice(0, at)).trim();
  const word = WORDS.get(name);
  if (word === undefined) {
    return `${JSON.stringify(name)} is not an outcome; there are ${[...WORDS.keys()].join(', ')}`;
  }
  if (seen.has(name)) return `${name} is there twice`;
  seen.add(name);
  return word.read(draft, at < 0 ? undefined : part.slice(at + 1).trim()) ? undefined : `${name} takes ${word.takes}`;
}

/** The fault of words that do not go together. */
function contradictionIn({ reject, fill, fillPercent, fills, hold, cancelAfter, lateFill }: Draft): string | undefined {
  const isPart = (fill ?? fillPercent) !== undefined;
  if (reject !== undefined && (isPart || hold || (fills ?? cancelAfter ?? lateFill) !== undefined)) {
    return 'an order that is rejected neither rests nor fills';
  }
  if (fills !== undefined && !isPart && (hold || (cancelAfter ?? lateFill) !== undefined)) {
    return 'fills leaves nothing to rest: name a part with fill';
  }
  return undefined;
}

/** The fault of words that do not fit their order. */
function misfit({ fill, fillPercent, fills }: Draft, { terms: { quantity }, lot }: Asked): string | undefined {
  if (fill !== undefined && fill >= quantity) return `fill must be below the quantity ${quantity}: fills=1 fills all`;
  if (fill !== undefined && fill % lot !== 0) return `fill must be whole lots of ${lot}`;
  if (fillPercent !== undefined && quantity <= lot) return 'a part needs an order of more than one lot';
  if (fills === undefined || fillPercent !== undefined) return undefined;
  const lots = Math.floor((fill ?? quantity) / lot);
  return fills > lots ? `fills=${fills} needs as many lots, and there are ${lots}` : undefined;
}

/** The members in one order, so that the same remarks make the same bytes. Source: reliability I36. */
function inOneOrder(draft: Draft): OrderScenario {
  const { reject, fill, fillPercent, fills, cancelAfter, hold, ackDelay, lateFill, lostAnswer, duplicateFrame } = draft;
  const whole = { reject, fill, fillPercent, fills, cancelAfter, hold, ackDelay, lateFill, lostAnswer, duplicateFrame };
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
}

function wrong(fault: string): Failure {
  return badRequest('remarks', `remarks begin with ${PREFIX} and are not understood: ${fault}`);
}
