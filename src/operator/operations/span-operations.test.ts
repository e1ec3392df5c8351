import assert from 'node:assert/strict';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FIRST_DAY, listed, NIFTY_FUTURE } from '../../../test/kit/money/listed.ts';
import { StillMarket } from '../../../test/kit/money/still-market.ts';
import { rupees, World } from '../../../test/kit/money/world.ts';
import { type Desks, withOperatorPort } from '../../../test/kit/operator-port.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { spanText } from '../../../test/kit/span/span-text.ts';
import { worldEngine } from '../../../test/kit/world-engine.ts';
import { must } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import { formatIsoDay, type IstDay, wallOf } from '../../base/time.ts';
import type { Derivative, InstrumentDirectory } from '../../core/instrument.ts';
import type { Ports } from '../../core/ports.ts';
import { emptyState } from '../../core/state.ts';
import { step } from '../../core/step.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { SpanStore } from '../../folder/span-store.ts';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';
import { SpanReader } from '../../reference/span/span-reader.ts';
import { BanOperations } from './ban-operations.ts';
import { SpanOperations } from './span-operations.ts';
import { UserOperations } from './user-operations.ts';

const FUTURE: Derivative = { ...(NIFTY_FUTURE as Extract<Derivative, { kind: 'future' }>), symbol: 'NIFTY' };
const LOT = 65;

interface Bench {
  readonly ports: Ports;
  readonly world: World;
  readonly holder: AccountId;
  readonly store: SpanStore;
  /** Runs the command line against the operator's port. */
  readonly run: (...args: readonly string[]) => Promise<string>;
  /** Writes a file whose future has this scan range, and returns its path. */
  readonly write: (scan: number, day?: number) => string;
}

/** A core in which somebody holds one lot of the future, with an operator's port over it. */
async function opened(body: (bench: Bench) => Promise<void>): Promise<void> {
  const market = new StillMarket();
  market.quotes.set(FUTURE.id, { bid: 24_000_00, ask: 24_000_00, last: 24_000_00 });
  const instruments = { get: (id: Derivative['id']) => (id === FUTURE.id ? FUTURE : listed.get(id)) };
  let bench: Omit<Bench, 'run' | 'write'> | undefined;
  const desksIn = (data: string): Desks => {
    const store = new SpanStore(dataFolder(data).spanFiles, () => new SpanReader());
    const ports: Ports = testPorts({ instruments, market, spanFiles: store });
    const world = new World(ports, FIRST_DAY);
    const holder = world.user('AB1234', rupees(10_00_000));
    world.place({ by: holder, of: FUTURE.id, side: 'B', units: LOT });
    bench = { ports, world, holder, store };
    return desksOf(world, market, store);
  };
  const made = () => must(bench, 'the desks were made');
  await withOperatorPort(desksIn, { now: () => wallOf(made().world.at) }, async ({ run }, data) => {
    const write = (scan: number, day: number = FIRST_DAY): string => {
      const path = join(data, `${scan}-${day}.spn`);
      const futures = [{ expiry: FUTURE.expiryDay, price: 24_000, scan }];
      writeFileSync(path, spanText({ day: day as IstDay, underlyings: [{ code: 'NIFTY', spot: 24_000, futures }] }));
      return path;
    };
    await body({ ...made(), run, write });
  });
}

function desksOf(world: World, market: StillMarket, store: SpanStore): Desks {
  const engine = worldEngine(world);
  const instruments = {
    get: listed.get,
    list: () => [FUTURE],
    listing: () => undefined,
  } as unknown as InstrumentDirectory;
  return {
    users: new UserOperations({ engine, instruments, enrol: async () => '', priceOf: () => 1 as never }),
    bans: new BanOperations({ engine, instruments }),
    span: new SpanOperations({ engine, instruments, market, store }),
  };
}

async function refused(done: Promise<string>, message: RegExp): Promise<void> {
  await assert.rejects(done, (error) => {
    assert.ok(error instanceof CommandFailed);
    assert.equal(error.exitCode, EXIT_FAILED);
    assert.match(error.message, message);
    return true;
  });
}

const TODAY = formatIsoDay(FIRST_DAY);
const TOMORROW = formatIsoDay((FIRST_DAY + 1) as IstDay);

test('an imported file of the day measures the margin of a position at once, and its removal undoes that', () =>
  opened(async ({ world, holder, run, write }) => {
    const span = (): number => world.account(holder).books.span;
    const own = span();
    const said = await run('span', 'import', write(3_000));
    assert.match(said, new RegExp(`^1 contracts of 1 underlyings are taken over for NFO on ${TODAY}\\.`));
    assert.match(said, /1 of the 1 listed contracts are among them/);
    assert.match(said, /Margins are measured by it from now on\.$/);
    assert.equal(span(), rupees(3_000 * LOT));
    assert.notEqual(own, span());
    await run('span', 'import', write(3_500.5));
    assert.equal(span(), rupees(3_500.5 * LOT));
    assert.equal(await run('span', 'remove', TODAY), `no SPAN file is used on ${TODAY}`);
    assert.equal(span(), own);
    assert.equal(await run('span', 'list'), 'there is no SPAN file');
  }));

test('the journal says which file was in force, and what was decided by it is decided again by a later process', () =>
  opened(async ({ ports, world, holder, store, run, write }) => {
    await run('span', 'import', write(3_000));
    const { digest } = store.list()[0] ?? assert.fail('a file is listed');
    const revised = world.records.flatMap(({ events }) => events).findLast(({ type }) => type === 'MarginsRevised');
    assert.deepEqual(revised?.type === 'MarginsRevised' && revised.spanFiles, [digest]);
    world.place({ by: holder, of: FUTURE.id, side: 'B', units: LOT });
    await run('span', 'remove', TODAY);
    world.place({ by: holder, of: FUTURE.id, side: 'S', units: LOT });
    const later: Ports = { ...ports, spanFiles: new SpanStore(store.folder, () => new SpanReader()) };
    const state = emptyState();
    for (const record of world.records) assert.deepEqual(step(state, later, record).events, record.events);
    const used = world.records.filter(({ command }) => command.type === 'ReviseMargins');
    assert.equal(used.length, 2);
  }));

test('the list can be read by a program', () =>
  opened(async ({ store, run, write }) => {
    await run('span', 'import', write(3_000));
    const { digest } = store.list()[0] ?? assert.fail('a file is listed');
    const rows = JSON.parse(await run('span', 'list', '--json')) as unknown;
    assert.deepEqual(rows, [{ day: TODAY, exchange: 'NFO', digest }]);
  }));

test('a file for a later day waits for it, whatever day it states', () =>
  opened(async ({ world, holder, store, run, write }) => {
    const before = world.account(holder).books.span;
    const said = await run('span', 'import', write(3_000), '--date', TOMORROW);
    assert.match(said, new RegExp(`on ${TOMORROW} \\(it states ${TODAY}\\)`));
    assert.match(said, new RegExp(`Margins are measured by it when ${TOMORROW} begins\\.$`));
    assert.equal(world.account(holder).books.span, before);
    assert.deepEqual([store.on(FIRST_DAY).length, store.on((FIRST_DAY + 1) as IstDay).length], [0, 1]);
    await run('span', 'import', write(3_100, FIRST_DAY + 1));
    assert.equal(store.list().length, 1, 'the later import took its place');
    assert.equal(await run('span', 'remove', TOMORROW), `no SPAN file is used on ${TOMORROW}`);
  }));

test('a damaged file is refused whole with its place, and nothing changes', () =>
  opened(async ({ world, holder, store, run, write }) => {
    const path = write(3_000);
    const before = [world.account(holder).books.span, world.state.seq];
    const damaged = join(path, '..', 'damaged.spn');
    writeFileSync(damaged, spanText({ day: FIRST_DAY, underlyings: [] }));
    await refused(
      run('span', 'import', damaged),
      /is not taken over: line \d+, column \d+, spanFile: no contract is in it$/,
    );
    const text = spanText({
      day: FIRST_DAY,
      underlyings: [{ code: 'NIFTY', spot: 24_000, futures: [{ expiry: FUTURE.expiryDay, price: 1, scan: 1 }] }],
    });
    writeFileSync(damaged, text.replace('</ra>', '<a>1</a></ra>').padEnd(3_000_000));
    await refused(
      run('span', 'import', damaged),
      /line \d+, column \d+, .*\/futPf\/fut\/ra: it has 17 values, not 16$/,
    );
    assert.deepEqual([world.account(holder).books.span, world.state.seq], before);
    assert.deepEqual(store.list(), []);
  }));

test('an operation on SPAN files that cannot be done is refused in words', () =>
  opened(async ({ run, write }) => {
    const yesterday = formatIsoDay((FIRST_DAY - 1) as IstDay);
    await refused(
      run('span', 'import', 'no-such.spn'),
      /^no-such\.spn cannot be imported: there is no such file or folder$/,
    );
    await refused(
      run('span', 'import', write(3_000), '--date', '30.11.2026'),
      /"30\.11\.2026" is not a date of the form/,
    );
    await refused(run('span', 'import', write(3_000), '--date', yesterday), new RegExp(`${yesterday} is over`));
    await refused(
      run('span', 'import', write(3_000, FIRST_DAY - 1)),
      /The file is of .* Say with --date which day it is for/,
    );
    await refused(run('span', 'remove', TODAY), new RegExp(`no SPAN file is there for ${TODAY}`));
    await refused(run('span', 'remove', yesterday), new RegExp(`${yesterday} is over`));
    await refused(run('span', 'remove', 'today'), /"today" is not a date/);
  }));

test('a file with figures that no margin can be reckoned from is refused, and margins stay as they are', () =>
  opened(async ({ world, holder, run, write }) => {
    const own = world.account(holder).books.span;
    await refused(run('span', 'import', write(900_000_000_000)), /a: it is -?\d+\.0000: below/);
    assert.equal(world.account(holder).books.span, own);
    assert.equal(await run('span', 'list'), 'there is no SPAN file');
  }));

test('the listed contracts of a file are counted in slices of the event loop, behind the lists of the date', () =>
  opened(async ({ ports, world, store, write }) => {
    const done: string[] = [];
    const work = (what: string): void => {
      done.push(what);
      for (const end = performance.now() + 0.5; performance.now() < end; );
    };
    function* listing(): Generator<undefined, void> {
      for (let piece = 0; piece < 20; piece += 1) {
        work('piece');
        yield;
      }
    }
    function* list(): Generator<Derivative> {
      for (let contract = 0; contract < 20; contract += 1) {
        work('contract');
        yield FUTURE;
      }
    }
    const instruments = { get: listed.get, list, listing } as unknown as InstrumentDirectory;
    const market = ports.market as StillMarket;
    const span = new SpanOperations({ engine: worldEngine(world), instruments, market, store });
    let before = 0;
    let mostInTurn = 0;
    const turn = (): void => {
      mostInTurn = Math.max(mostInTurn, done.length - before);
      before = done.length;
      timer = setImmediate(turn);
    };
    let timer = setImmediate(turn);
    const taken = await span.take(createReadStream(write(3_000)));
    clearImmediate(timer);
    assert.ok(taken.ok);
    assert.deepEqual([taken.value.listed, taken.value.covered], [20, 20]);
    assert.deepEqual(done, [...Array<string>(20).fill('piece'), ...Array<string>(20).fill('contract')]);
    assert.ok(mostInTurn <= 10, `${mostInTurn} of 40 pieces in one turn`);
  }));
