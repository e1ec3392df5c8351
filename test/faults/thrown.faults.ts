import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../src/base/assert.ts';
import { Random } from '../../src/base/random.ts';
import { journalPaths } from '../../src/journal/upkeep/examine.ts';
import { verifyJournal } from '../../src/journal/upkeep/verify.ts';
import { Course } from '../process/kill/course.ts';
import { ask, logIn, type Row, restingOrder, type Who } from '../process/kill/service-clients.ts';
import { readRecords, toldCount } from '../process/kill/told.ts';
import { Gone, Victim } from '../process/kill/victim.ts';
import { StartedService } from '../process/start/started-service.ts';
import { type Change, changedSource } from './changed-source.ts';
import { Courses } from './courses.ts';
import { scratchFolder, trials } from './trials.ts';

const services: StartedService[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of services) child.kill('SIGKILL');
});
/** One that passes a throw over would never end. */
const PATIENCE_MS = 20_000;
const CONTROL_MS = 3_000;
/** A throw comes at one of this number of passings of its place. */
const MOST_PASSINGS = 60;

/**
 * Lets the THROW_AT-th passing of a place throw, when THROW_IN names it. Passings count from the end of recovery on; in
 * `replay` from the start.
 */
function throwing(place: string): string {
  return (
    `if (process.env.THROW_IN === '${place}' && (globalThis.recovered === true || '${place}' === 'replay')) {\n` +
    `  globalThis.passings = (globalThis.passings ?? 0) + 1;\n` +
    `  if (globalThis.passings === Number(process.env.THROW_AT)) throw new Error('thrown in ${place}');\n}\n`
  );
}

/** A place of the source at whose beginning a throw is put. */
function place(name: string, file: string, head: string): Change & { readonly name: string } {
  return { name, file, from: head, to: `${head}\n${throwing(name)}` };
}

/** Where a command goes through, from its door to its reply. */
const PLACES = [
  place(
    'decide',
    'src/core/decide.ts',
    'export function decide(state: State, ports: DecisionPorts, { seq, at, command }: Sequenced): Decision {',
  ),
  place('apply', 'src/core/apply.ts', 'export function apply(state: State, at: EpochMs, event: Event): void {'),
  place(
    'views',
    'src/views/views.ts',
    'export function applyToViews(views: Views, state: State, at: EpochMs, events: readonly Event[]): void {',
  ),
  place(
    'encode',
    'src/journal/codec.ts',
    'export function encodeRecord(seq: number, at: EpochMs, command: Command, events: readonly Event[]): string {',
  ),
  place('gather', 'src/engine/sequencer.ts', '  private gather(turns: number, before: number): void {'),
  place('release', 'src/engine/release-queue.ts', '  advance(seq: number): void {'),
];
const REPLAY = place(
  'replay',
  'src/core/apply.ts',
  'export function applyRecord(state: State, record: AppliedRecord): void {',
);
/** From here on the engine decides. */
const RECOVERED: Change = {
  file: 'src/engine/start-engine.ts',
  from: '  around.onRecovered?.(live.state, live.views, setting?.market ?? present);',
  to: '  around.onRecovered?.(live.state, live.views, setting?.market ?? present);\n  globalThis.recovered = true;',
};

/** The root of a source that can throw in all these places. */
function throwingSource(name: string, more: readonly Change[] = []): string {
  return changedSource(scratch, name, [...PLACES, REPLAY, RECOVERED, ...more]);
}

/** An error that is thrown while a command is decided ends the command, and not the engine. */
const PASSED_OVER: readonly Change[] = [
  {
    file: 'src/engine/sequencer.ts',
    from: '      this.fail(errorOf(error));\n      throw error;\n',
    to: '      throw error;\n',
  },
  { file: 'test/process/kill/engine-child.ts', from: 'if (!(error instanceof Unavailable)) throw error;', to: '' },
  {
    file: 'test/process/kill/engine-child.ts',
    from: "say({ type: 'unavailable', id, why: error.message });",
    to: "say({ type: 'unavailable', id, why: String(error) });",
  },
  {
    file: 'test/process/kill/engine-child.ts',
    from: "process.on('uncaughtException', failStop);",
    to: "process.on('uncaughtException', () => undefined);",
  },
];

describe('a throw on the way of a command (F34)', () => {
  /** A life that a throw ends, within a while. */
  async function life(
    course: Course,
    root: string,
    thrown: { readonly in: string; readonly at: number },
  ): Promise<void> {
    const context = `thrown in ${thrown.in} at passing ${thrown.at}`;
    const env = { THROW_IN: thrown.in, THROW_AT: String(thrown.at) };
    // A throw may come before the engine is ready, as the market moves on at a start.
    const victim = await course.startOrGone(context, { root, env });
    const patience = root.endsWith('passed-over') ? CONTROL_MS : PATIENCE_MS;
    const lived = async (living: Victim): Promise<number | string> => {
      return course.trade(living, async () => {
        await Promise.race([living.ended, sleep(patience, undefined, { ref: false })]);
        await living.kill();
      });
    };
    const code = victim instanceof Gone ? victim.code : await lived(victim);
    const log = victim instanceof Gone ? victim.output : victim.log;
    assert.equal(code, 74, `${context}: ended with ${code}: ${log}`);
    assert.match(log, new RegExp(`thrown in ${thrown.in}`), context);
    course.check(context);
  }

  it('ends the engine, and acknowledged records stay; the next start goes on', async (t) => {
    const root = throwingSource('throwing');
    const courses = new Courses(scratch, 'thrown');
    await trials(t, 'F34 throws between door and reply', PLACES.length, async (random, number) => {
      const course = await courses.next(random, number);
      const before = toldCount(course.ledger);
      const { name } = must(PLACES[number % PLACES.length], 'there are places');
      await life(course, root, { in: name, at: 1 + random.below(MOST_PASSINGS) });
      return toldCount(course.ledger) - before;
    });
  });

  it('ends a start whose replay throws, which passes no record over and changes no file', async () => {
    const root = throwingSource('replaying');
    const course = new Course(join(scratch, 'replayed'), new Random(1));
    await course.open();
    rmSync(journalPaths(course.folder).snapshots, { recursive: true });
    const records = readRecords(course.folder);
    for (const at of [1, Math.ceil(records.length / 2), records.length]) {
      const env = { THROW_IN: 'replay', THROW_AT: String(at) };
      const started = Victim.start(course.folder, { root, env });
      await assert.rejects(
        started,
        (error) => error instanceof Gone && error.code === 74 && /thrown in replay/.test(error.output),
      );
      assert.deepEqual(readRecords(course.folder), records);
    }
    await (await course.start('without a throw')).kill();
  });

  it('is seen not to end the engine by the same check when it is passed over', async () => {
    const root = throwingSource('passed-over', PASSED_OVER);
    const course = new Course(join(scratch, 'passed-over-course'), new Random(1));
    await course.open();
    await assert.rejects(life(course, root, { in: 'apply', at: 20 }), /ended with SIGKILL/);
  });
});

/** Source: contract R10. */
const INTERNAL = {
  status: 'failed',
  code: '500',
  name: 'INTERNAL_SERVER_ERROR',
  error: { field: 'server', message: 'internal server error' },
};
/**
 * A poisoned command throws where it is decided; one question throws as any code may, another finds what must never be.
 */
const POISONED: readonly Change[] = [
  {
    file: 'src/core/decide.ts',
    from: '  const decider = DECIDERS[command.type] as Decider<Command>;\n',
    to:
      '  const decider = DECIDERS[command.type] as Decider<Command>;\n' +
      "  if (command.type === 'PlaceOrder' && command.remarks === 'poison') throw new TypeError('poisoned');\n",
  },
  {
    file: 'src/gateway/endpoints/account/holdings.ts',
    from: '      const at = deps.engine.now();\n',
    to: "      const at = deps.engine.now();\n      if (at > 0) throw new TypeError('a question failed');\n",
  },
  {
    file: 'src/gateway/endpoints/account/position-book.ts',
    from: '    const at = deps.engine.now();\n',
    to: "    const at = deps.engine.now();\n    must(undefined, 'a question found a broken state');\n",
  },
];

describe('a service in which something throws (F34)', () => {
  const data = join(scratch, 'service');
  let command: readonly string[];
  before(() => {
    command = [process.execPath, join(changedSource(scratch, 'poisoned', POISONED), 'bin', 'sauda.mjs')];
  });

  const start = async (): Promise<StartedService> => {
    const service = await StartedService.start(data, {}, command);
    services.push(service);
    return service;
  };
  const remarksOf = async (service: StartedService, who: Who): Promise<(string | undefined)[]> => {
    const { body } = await service.call('orderBook', { ...who });
    return (body.data as Row[]).map(({ remarks }) => remarks);
  };

  it('ends with code 70 at a poisoned command and at a broken state, and not for a question that fails', async () => {
    let service = await start();
    const who = await logIn(service, must(service.demoUsers()[0], 'there are demo users'));
    const told: string[] = [];
    const poisons = [
      () => ask(service, 'placeOrder', restingOrder(who, 'poison')),
      () => ask(service, 'positionBook', who),
    ];
    for (const [number, poison] of poisons.entries()) {
      const remarks = `before ${number}`;
      assert.ok(await ask(service, 'placeOrder', restingOrder(who, remarks)));
      told.push(remarks);
      const { status, body } = await service.call('holdings', { ...who });
      assert.equal(status, 500);
      assert.deepEqual(body, INTERNAL);
      assert.equal(await poison(), undefined, 'nothing is answered');
      assert.equal(await service.end('SIGCONT'), 70, service.output);
      service = await start();
      assert.deepEqual((await remarksOf(service, who)).sort(), told);
    }
    assert.equal(await service.end('SIGTERM'), 0);
    assert.equal(verifyJournal(data).damage, undefined);
  });
});
