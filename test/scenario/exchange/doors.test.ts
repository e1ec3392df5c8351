import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { quantity } from '../../../src/base/money.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Order } from '../../../src/core/order.ts';
import { ExchangeHours, type Role, type Shape } from '../../kit/exchange/exchange-hours.ts';

/** The moments that an order can meet: the phases, and the two ways of being closed. */
type Moment =
  | 'closed'
  | 'intake'
  | 'pre-open'
  | 'pre-open, limits only'
  | 'pre-open matching'
  | 'buffer'
  | 'continuous'
  | 'reference'
  | 'closing entry'
  | 'closing, limits only'
  | 'closing matching'
  | 'post-close';

const STOPPED = 'ORA:AMO is stopped';
const NOT_OPEN = '16278:The markets have not been opened for trading.';
const ENTRY_OVER = '16197:Order entry is closed in this session.';
const NO_STOPS = '16441:Stop loss orders are not allowed in this session.';
const NO_IOC = '16388:IOC orders are not allowed in this session.';
const NO_MARKET = {
  NSE: 'Market orders are currently not allowed.',
  BSE: 'Market order cannot be placed during this period.',
};
const ONLY_MARKET = 'Only market orders are currently allowed.';
const SHAPES: readonly Shape[] = ['LMT', 'MKT', 'SL-LMT', 'IOC'];

/** The answers to a placement of each shape, in the order of SHAPES. Source: market-rules 2.1, R2.5, R2.18. */
const PLACED: Record<Moment, readonly string[]> = {
  closed: [STOPPED, STOPPED, STOPPED, STOPPED],
  intake: ['waits', 'waits', 'waits', 'waits'],
  'pre-open': ['taken', 'taken', NO_STOPS, NO_IOC],
  'pre-open, limits only': ['taken', 'no market orders', NO_STOPS, NO_IOC],
  'pre-open matching': [ENTRY_OVER, ENTRY_OVER, ENTRY_OVER, ENTRY_OVER],
  buffer: ['waits', 'waits', 'waits', 'waits'],
  continuous: ['taken', 'taken', 'taken', 'taken'],
  reference: [NOT_OPEN, NOT_OPEN, NOT_OPEN, NOT_OPEN],
  'closing entry': ['taken', 'taken', NO_STOPS, NO_IOC],
  'closing, limits only': ['taken', 'no market orders', NO_STOPS, NO_IOC],
  'closing matching': [ENTRY_OVER, ENTRY_OVER, ENTRY_OVER, ENTRY_OVER],
  'post-close': [ONLY_MARKET, 'taken', NO_STOPS, ONLY_MARKET],
};

/** When an order that lives at a moment was placed, and the answers to its modification and its cancellation. */
const CHANGED: Partial<Record<Moment, readonly [placed: string | undefined, modify: string, cancel: string]>> = {
  intake: [undefined, 'taken', 'taken'],
  'pre-open': [undefined, 'taken', 'taken'],
  'pre-open, limits only': [undefined, 'taken', 'taken'],
  'pre-open matching': ['09:01', ENTRY_OVER, ENTRY_OVER],
  buffer: ['09:01', ENTRY_OVER, 'taken'],
  continuous: [undefined, 'taken', 'taken'],
  reference: ['15:14', NOT_OPEN, 'taken'],
  'closing entry': [undefined, 'taken', 'taken'],
  'closing, limits only': [undefined, 'taken', 'taken'],
  'closing matching': ['15:21', 'SAF:order is not open to modify', 'SAF:order is not open to cancel'],
};

type Day = readonly (readonly [time: string, moment: Moment])[];

const BEFORE_AUCTIONS: Day = [
  ['08:30', 'intake'],
  ['08:57', 'intake'],
  ['08:58', 'closed'],
  ['08:59', 'closed'],
];
const OLD_OPENING: Day = [
  ['09:00', 'pre-open'],
  ['09:06', 'pre-open'],
  ['09:09', 'pre-open matching'],
  ['09:13', 'buffer'],
  ['09:15', 'continuous'],
];
const NEW_OPENING: Day = [
  ['09:00', 'pre-open'],
  ['09:06', 'pre-open, limits only'],
  ['09:11', 'pre-open matching'],
  ['09:13', 'buffer'],
  ['09:15', 'continuous'],
];
const CLOSING_AUCTION: Day = [
  ['15:14', 'continuous'],
  ['15:15', 'reference'],
  ['15:22', 'closing entry'],
  ['15:26', 'closing, limits only'],
  ['15:32', 'closing matching'],
  ['15:40', 'closed'],
  ['15:50', 'post-close'],
  ['16:00', 'intake'],
];
const PLAIN_CLOSE: Day = [
  ['15:29', 'continuous'],
  ['15:30', 'closed'],
  ['15:55', 'post-close'],
  ['16:30', 'intake'],
];
const BEFORE_CONTRACTS: Day = [
  ['08:30', 'intake'],
  ['08:59', 'intake'],
];

/** Every class of instruments before and after each date on which its phases change. */
const DAYS: readonly (readonly [date: string, role: Role, day: Day])[] = [
  [
    '2026-07-31',
    'share',
    [
      ...BEFORE_AUCTIONS,
      ...OLD_OPENING,
      ['15:29', 'continuous'],
      ['15:35', 'closed'],
      ['15:45', 'post-close'],
      ['16:00', 'intake'],
    ],
  ],
  ['2026-08-03', 'share', [...BEFORE_AUCTIONS, ...OLD_OPENING, ...CLOSING_AUCTION]],
  ['2026-09-04', 'BSE share', [...BEFORE_AUCTIONS, ...OLD_OPENING, ...CLOSING_AUCTION]],
  ['2026-09-07', 'share', [...BEFORE_AUCTIONS, ...NEW_OPENING, ...CLOSING_AUCTION]],
  ['2026-09-07', 'BSE share', [...BEFORE_AUCTIONS, ...NEW_OPENING, ...CLOSING_AUCTION]],
  ['2026-09-04', 'small share', [...BEFORE_AUCTIONS, ...OLD_OPENING, ...PLAIN_CLOSE]],
  ['2026-09-07', 'small share', [...BEFORE_AUCTIONS, ...NEW_OPENING, ...PLAIN_CLOSE]],
  [
    '2025-12-05',
    'future',
    [
      ...BEFORE_CONTRACTS,
      ['09:05', 'intake'],
      ['09:12', 'closed'],
      ['09:15', 'continuous'],
      ['15:30', 'closed'],
      ['15:45', 'intake'],
    ],
  ],
  ['2025-12-08', 'future', [...BEFORE_CONTRACTS, ...OLD_OPENING, ['15:30', 'closed'], ['15:45', 'intake']]],
  [
    '2026-08-03',
    'future',
    [...BEFORE_CONTRACTS, ...OLD_OPENING, ['15:39', 'continuous'], ['15:40', 'closed'], ['15:45', 'intake']],
  ],
  [
    '2026-07-31',
    'option',
    [
      ...BEFORE_CONTRACTS,
      ['09:09', 'intake'],
      ['09:10', 'closed'],
      ['09:15', 'continuous'],
      ['15:30', 'closed'],
      ['15:45', 'intake'],
    ],
  ],
  [
    '2026-08-03',
    'option',
    [
      ...BEFORE_CONTRACTS,
      ['09:09', 'intake'],
      ['09:10', 'closed'],
      ['09:15', 'continuous'],
      ['15:39', 'continuous'],
      ['15:40', 'closed'],
      ['15:45', 'intake'],
    ],
  ],
  [
    '2026-11-08',
    'share',
    [
      ['17:42', 'intake'],
      ['17:44', 'closed'],
      ['17:45', 'pre-open'],
      ['17:51', 'pre-open, limits only'],
      ['17:56', 'pre-open matching'],
      ['17:58', 'buffer'],
      ['18:00', 'continuous'],
      ['19:14', 'continuous'],
      ['19:15', 'closed'],
      ['19:45', 'intake'],
    ],
  ],
  [
    '2026-11-10',
    'share',
    [
      ['09:05', 'intake'],
      ['12:00', 'intake'],
      ['15:20', 'intake'],
    ],
  ],
  [
    '2026-11-10',
    'option',
    [
      ['09:30', 'intake'],
      ['15:42', 'intake'],
    ],
  ],
  [
    '2026-11-21',
    'small share',
    [
      ['10:00', 'intake'],
      ['23:00', 'intake'],
    ],
  ],
];

function expected(answer: string | undefined, role: Role): string | undefined {
  return answer === 'no market orders' ? NO_MARKET[role === 'BSE share' ? 'BSE' : 'NSE'] : answer;
}

/** For each moment the placement and the change of an order of its own, by the clock: one day serves all moments. */
function changesOf(date: string, day: Day) {
  const acts = day.flatMap(([time, moment]) => {
    const answers = CHANGED[moment];
    if (answers === undefined) return [];
    const [placed, modify, cancel] = answers;
    const isEvening = date === '2026-11-08';
    const placedAt = isEvening && placed !== undefined ? '17:46' : (placed ?? time);
    const change = { time, moment, modify, cancel };
    return [
      { ...change, act: 'place', at: placedAt },
      { ...change, act: 'change', at: time },
    ] as const;
  });
  return acts.toSorted((a, b) => a.at.localeCompare(b.at));
}

for (const [date, role, day] of DAYS) {
  test(`the doors of a ${role} on ${date} answer every type and action as their phase says`, () => {
    const hours = new ExchangeHours(date);
    const { world } = hours;
    for (const [time, moment] of day) {
      hours.passTo(date, time);
      const of = hours.instrument(role);
      SHAPES.forEach((shape, index) => {
        const order = hours.place(of, shape);
        assert.equal(hours.outcome(order), expected(PLACED[moment][index], role), `${shape} at ${time}, ${moment}`);
      });
    }
    checkInvariants(world.state);
  });

  test(`live orders of a ${role} on ${date} are modified and cancelled as its phase says`, () => {
    const hours = new ExchangeHours(date);
    const orders = new Map<string, Order>();
    for (const { act, at, time, moment, modify, cancel } of changesOf(date, day)) {
      hours.passTo(date, at);
      const of = hours.instrument(role);
      if (act === 'place') {
        orders.set(time, hours.place(of, 'LMT', { quantity: quantity(of.lot * 2) }));
        continue;
      }
      const order = must(orders.get(time), 'an order that was placed before');
      const where = `${time}, ${moment}, ${order.status}`;
      assert.equal(hours.modify(order, { quantity: quantity(of.lot) }), modify, `modify at ${where}`);
      assert.equal(hours.cancel(order), cancel, `cancel at ${where}`);
      const isOver = cancel === 'taken' || moment === 'closing matching';
      assert.equal(order.status === 'Cancelled', isOver, where);
      checkInvariants(hours.world.state);
    }
  });
}
