/**
 * The tools of the market clock, which all users of the service share. They act on the operator's port, with its token,
 * and only where the server was started for that.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { Sauda } from '../../client/src/sauda.ts';
import type { Ahead, MarketClock, Time } from '../../client/src/time.ts';
import type { JsonObject } from '../gateway/openapi.ts';
import type { ServiceSettings } from './environment.ts';
import { type AgentTool, guarded, schemaOf } from './operation-tools.ts';
import { success, TEXTS_ARE_DATA } from './tool-answer.ts';

/** Agents give a call up after a minute, so a longer step is answered while it goes on. */
const LONGEST_WAIT_MS = 45_000;
const OF_ALL = 'The clock is of all users of the service, and its time never goes back.';
const SPEEDS = '0.1 to 3600, or max for as fast as the machine can';

const TEXT = { type: 'string' };
const WHY: JsonObject = { type: 'string', minLength: 1, maxLength: 200, description: 'the reason, for the journal' };
const SPEED: JsonObject = { anyOf: [{ type: 'number', minimum: 0, maximum: 3_600 }, { const: 'max' }] };
const PHASE = {
  exchange: TEXT,
  phase: TEXT,
  next: { type: 'object', properties: { phase: TEXT, at: TEXT }, required: ['phase', 'at'] },
};
const BOUNDARY = { exchange: { ...TEXT, description: 'absent for all exchanges' }, what: TEXT, at: TEXT };
const CLOCK: JsonObject = {
  type: 'object',
  properties: {
    market: { ...TEXT, description: 'market time, IST' },
    wall: { ...TEXT, description: 'wall time, IST' },
    speed: { ...SPEED, description: 'seconds of the market in a second of the wall; 0 while it stands still' },
    set: { type: 'object', properties: { at: TEXT, market: TEXT, by: TEXT, why: TEXT } },
    until: { ...TEXT, description: 'the end of a step that goes on still; absent when none does' },
    lostSeconds: { type: 'number', description: 'market time by which it is behind its speed' },
    phases: { type: 'array', items: { type: 'object', properties: PHASE, required: ['exchange', 'phase'] } },
    boundaries: { type: 'array', items: { type: 'object', properties: BOUNDARY, required: ['what', 'at'] } },
  },
  required: ['market', 'wall', 'speed', 'phases'],
};

const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const SETS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
const ADVANCES: ToolAnnotations = { ...SETS, idempotentHint: false };

type Given = Readonly<Record<string, unknown>>;

interface ClockTool {
  readonly name: string;
  readonly title: string;
  readonly does: string;
  readonly fields?: JsonObject;
  readonly annotations: ToolAnnotations;
  readonly call: (time: Time, given: Given) => Promise<MarketClock>;
}

const TOOLS: readonly ClockTool[] = [
  {
    name: 'clock_show',
    title: 'Show the market clock',
    does: 'Market time, its speed, the phase of each exchange, and the next boundaries.',
    annotations: READS,
    call: (time) => time.show(),
  },
  {
    name: 'clock_run',
    title: 'Let market time pass',
    does: 'Lets market time pass at a speed from now on.',
    fields: { speed: { ...SPEED, description: SPEEDS } },
    annotations: SETS,
    call: (time, { speed, ...why }) => time.run(speed as number | 'max', why),
  },
  {
    name: 'clock_pause',
    title: 'Let market time stand still',
    does: 'Lets market time stand still. Orders are taken and decided as ever; no time passes for those that rest.',
    annotations: SETS,
    call: (time, why) => time.pause(why),
  },
  {
    name: 'clock_step',
    title: 'Let a given time pass, then pause',
    does:
      'Lets exactly that much market time pass as fast as the machine can, decides all that falls in between, and ' +
      'pauses. With until in the answer the step goes on still: ask clock_show.',
    fields: { for: { ...TEXT, description: '90s, 5m, 1h30m; boundary: of a session or the day; event: of this user' } },
    annotations: ADVANCES,
    call: (time, { for: length, ...why }) => inTime(time, time.step(String(length), why)),
  },
  {
    name: 'clock_to',
    title: 'Go on to an instant, then pause',
    does:
      'Lets market time pass up to an instant that is ahead as fast as the machine can, decides all that falls in ' +
      'between, and pauses. With until in the answer it goes on still: ask clock_show.',
    fields: {
      at: { ...TEXT, description: '15:14:59 or 2026-11-24T15:14:59 in IST; open; close; expiry of NIFTY' },
    },
    annotations: ADVANCES,
    call: (time, { at, ...why }) => inTime(time, time.to(at as Ahead, why)),
  },
];

/** The clock of a service at the operator's port. */
export function clockOf({ origin: url, userId, operator }: ServiceSettings): Time {
  return new Sauda({ url, userId, ...(operator && { operator }) }).time;
}

/** The tools of a market clock. */
export function clockTools(time: Time): readonly AgentTool[] {
  return TOOLS.map(({ name, title, does, fields = {}, annotations, call }) => {
    const properties = annotations.readOnlyHint ? {} : { ...fields, why: WHY };
    const input = { type: 'object', properties, required: Object.keys(fields), additionalProperties: false };
    return {
      name,
      title,
      description: `${does} ${OF_ALL} Times are IST. ${TEXTS_ARE_DATA}`,
      input: schemaOf(input),
      output: schemaOf(CLOCK),
      annotations,
      run: guarded(async (given) => success({ ...(await call(time, given)) })),
    };
  });
}

/** The clock at the end of a step, or as it is while the step goes on for longer than an agent waits. */
async function inTime(time: Time, step: Promise<MarketClock>): Promise<MarketClock> {
  const waits = new AbortController();
  const late = sleep(LONGEST_WAIT_MS, undefined, { signal: waits.signal }).catch(() => undefined);
  try {
    return (await Promise.race([step, late])) ?? (await time.show());
  } finally {
    waits.abort();
  }
}
