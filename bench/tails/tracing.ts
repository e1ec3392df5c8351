/**
 * Loaded into the main thread of a service before its entry, it notes the instants of each placement and the stretches
 * of other work, and writes them to the file of `TAILS_TRACE` on `SIGUSR2`. It puts functions around methods of the
 * service, which has no line for it: a service without this file pays nothing.
 */

import { writeFileSync } from 'node:fs';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { Trail } from '../../src/audit/trail.ts';
import { must } from '../../src/base/assert.ts';
import { Engine } from '../../src/engine/engine.ts';
import { DurableFeed } from '../../src/engine/feed/durable-feed.ts';
import { Sequencer } from '../../src/engine/sequencer.ts';
import { Wire } from '../../src/gateway/wire.ts';
import { machineMs, type ServedPlacement, type Stretch, type Trace, type WorkKind } from './steps.ts';

/** Shorter work than this holds nobody up. In milliseconds. */
const LEAST_WORK_MS = 0.2;
/** The remarks of a traced placement: `tail` and its number. */
const REMARKS = /"remarks":"tail(\d+)"/;

type Marks = { -readonly [Key in keyof ServedPlacement]?: ServedPlacement[Key] };
type Method = (this: object, ...given: never[]) => unknown;

const marks = new Map<number, Marks>();
const work: Stretch[] = [];
/** The placements whose records wait for a group, and those whose group is on its way to the disk. */
let open: Marks[] = [];
let flushing: Marks[] = [];

/** Puts `around` in place of a method; it is given what the method does. */
function wrap(
  holder: object,
  name: string,
  around: (self: object, given: unknown[], go: () => unknown) => unknown,
): void {
  const methods = holder as Record<string, Method>;
  const method = must(methods[name], `the service has the method ${name}`);
  methods[name] = function wrapped(this: object, ...given: unknown[]) {
    return around(this, given, () => method.apply(this, given as never[]));
  };
}

function noteWork(holder: object, name: string, kind: WorkKind): void {
  wrap(holder, name, (_self, _given, go) => {
    const from = machineMs();
    const made = go();
    const to = machineMs();
    if (to - from >= LEAST_WORK_MS) work.push({ kind, from, to });
    return made;
  });
}

function marksOf(text: unknown): Marks | undefined {
  const id = Number(REMARKS.exec(String(text))?.[1] ?? Number.NaN);
  return Number.isNaN(id) ? undefined : marks.get(id);
}

interface TracedCall {
  send(...given: unknown[]): void;
}

/** The placement that a call carries: a connection has one call for all of its requests. */
const carried = new WeakMap<TracedCall, Marks>();

function traceAnswer(call: TracedCall): void {
  const send = call.send.bind(call);
  call.send = (...given) => {
    const mark = carried.get(call);
    if (mark !== undefined) mark.answered ??= machineMs();
    send(...given);
  };
}

wrap(Wire.prototype, 'enter', (_self, [, text, given], go) => {
  const id = Number(REMARKS.exec(String(text))?.[1] ?? Number.NaN);
  if (Number.isNaN(id)) return go();
  const call = given as TracedCall;
  const mark: Marks = { id, entered: machineMs() };
  marks.set(id, mark);
  if (!carried.has(call)) traceAnswer(call);
  carried.set(call, mark);
  return go();
});

wrap(Wire.prototype, 'carryOut', (_self, [entered], go) => {
  const { remarks } = (entered as { body: { remarks?: unknown } }).body;
  const mark = marksOf(`"remarks":"${remarks}"`);
  if (mark !== undefined) mark.run = machineMs();
  return go();
});

wrap(Sequencer.prototype, 'record', (_self, [command], go) => {
  const made = go();
  const mark = marksOf(`"remarks":"${(command as { remarks?: unknown }).remarks}"`);
  if (mark !== undefined) {
    mark.recorded = machineMs();
    open.push(mark);
  }
  return made;
});

wrap(Sequencer.prototype, 'commit', (self, _given, go) => {
  const begun = (): unknown => (self as { commitStarted?: unknown }).commitStarted;
  const before = begun();
  const made = go();
  if (before === undefined && begun() !== undefined) {
    const at = machineMs();
    for (const mark of open) mark.flushing = at;
    flushing = open;
    open = [];
  }
  return made;
});

wrap(Sequencer.prototype, 'committed', (_self, _given, go) => {
  const at = machineMs();
  for (const mark of flushing) mark.durable = at;
  flushing = [];
  return go();
});

noteWork(Engine.prototype, 'runSlice', 'second');
noteWork(Trail.prototype, 'take', 'audit trail');
noteWork(Trail.prototype, 'handOver', 'audit trail');
noteWork(DurableFeed.prototype, 'advance', 'feed');

const apart = machineMs() - performance.now();
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { startTime, duration } = entry;
    const from = startTime + apart;
    const isYoung =
      (entry as unknown as { detail: { kind: number } }).detail.kind === constants.NODE_PERFORMANCE_GC_MINOR;
    work.push({ kind: isYoung ? 'young collector' : 'old collector', from, to: from + duration });
  }
}).observe({ entryTypes: ['gc'] });

process.on('SIGUSR2', () => {
  const placements = [...marks.values()].filter((mark) => mark.answered !== undefined) as ServedPlacement[];
  const trace: Trace = { placements, work };
  writeFileSync(must(process.env.TAILS_TRACE, 'the file of the trace'), JSON.stringify(trace));
});
