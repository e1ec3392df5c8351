/** The acts that hold trading up, or let it go on. */

import type { SwitchRow } from '../../../src/operator/operations/switch-operations.ts';
import type { Act, ActField } from './acts.ts';

const EXCHANGES = ['NSE', 'NFO', 'BSE', 'BFO'];
const EXCHANGE: ActField = { name: 'exchange', label: 'Exchange', value: 'NSE', among: EXCHANGES };
const SYMBOL: ActField = { name: 'symbol', label: 'Symbol', hint: 'RELIANCE-EQ' };

interface SwitchPlan {
  readonly kind: string;
  readonly title: string;
  readonly effect: string;
  readonly fields: readonly ActField[];
}

const PLANS: readonly SwitchPlan[] = [
  {
    kind: 'FullKill',
    title: 'Kill everybody',
    effect:
      'Nobody can place or modify an order from now on, and all open orders of all users are cancelled. Positions stay. It lasts over days and restarts until it is lifted.',
    fields: [],
  },
  {
    kind: 'InstrumentKill',
    title: 'Kill an instrument',
    effect:
      'Nobody can place or modify an order in the instrument and the contracts on it, and all open orders in them are cancelled. It lasts until it is lifted.',
    fields: [EXCHANGE, SYMBOL],
  },
  {
    kind: 'Suspension',
    title: 'Suspend an instrument',
    effect:
      'The instrument and the contracts on it do not trade. Open orders stay with their places; new ones and modifications are refused. It lasts until it is lifted.',
    fields: [EXCHANGE, SYMBOL],
  },
  {
    kind: 'Halt',
    title: 'Halt an exchange',
    effect:
      'The exchange trades nothing at all. Open orders stay; new ones and modifications are refused. It lasts until it is lifted.',
    fields: [EXCHANGE],
  },
  {
    kind: 'RiskReduction',
    title: 'Risk reduction mode',
    effect:
      'The exchange takes only immediate orders (IOC) of clients. Open orders stay and trade. It lasts until it is lifted.',
    fields: [EXCHANGE],
  },
];

/** Each switch that the page can set. */
export const SWITCH_ACTS: readonly Act[] = PLANS.map(({ kind, title, effect, fields }) => ({
  title,
  effect,
  button: title,
  isHarsh: true,
  fields,
  path: '/switches',
  body: (values) => ({ kind, on: true, ...values }),
  done: ({
    name,
    changed,
    cancelled,
  }: {
    readonly name: string;
    readonly changed: boolean;
    readonly cancelled: number;
  }) => (changed ? `${title}: ${name} is set; cancelled orders: ${cancelled}` : `${title}: ${name} was set already`),
}));

/** The name of a switch for people. */
export function switchTitle({ kind, name }: Pick<SwitchRow, 'kind' | 'name'>): string {
  return `${WORDS[kind] ?? kind} of ${name === 'all' ? 'everybody' : name}`;
}

const WORDS: Readonly<Record<string, string>> = {
  Suspension: 'Suspension',
  Halt: 'Halt',
  RiskReduction: 'Risk reduction mode',
  AccountKill: 'Kill switch',
  InstrumentKill: 'Kill switch',
  FullKill: 'Kill switch',
};

/** Lifts a switch of the list. */
export function liftSwitch(row: SwitchRow): Act {
  return {
    title: `Lift: ${switchTitle(row)}`,
    effect: 'Trading goes on. Orders that were cancelled do not come back.',
    button: 'Lift',
    path: '/switches',
    body: () => ({ kind: row.kind, on: false, ...targetOf(row) }),
    done: () => `${switchTitle(row)} is lifted`,
  };
}

function targetOf({ kind, name }: SwitchRow): object {
  if (kind === 'FullKill') return {};
  if (kind === 'AccountKill') return { userId: name };
  if (kind === 'Halt' || kind === 'RiskReduction') return { exchange: name };
  const [exchange, symbol] = name.split(' ');
  return { exchange, symbol };
}
