import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../base/assert.ts';
import { type EpochMs, parseIstMoment, wallOf } from '../base/time.ts';
import { decideSetClock } from '../core/clock/set-clock.ts';
import { emptyState, type State } from '../core/state.ts';
import { CommandFailed } from '../os/command-failed.ts';
import { clockCommand, clockText, expectDateOfMarket } from './start-clock.ts';

function ist(text: string): EpochMs {
  return must(parseIstMoment(text), text);
}

const OPEN = ist('2026-11-20T09:00:00');
const LATER = ist('2026-11-25T10:15:00');
const WALL = wallOf(ist('2026-11-23T12:00:00'));
const NOTHING = { clock: 'kept', speed: 'kept', data: '/srv/x' } as const;

/** A folder whose market stands at an instant; its clock was set by a start with `--clock` if `asked` is there. */
function stateAt(at: EpochMs, asked?: EpochMs, speed = 60): State {
  const state = emptyState();
  state.at = at;
  if (asked !== undefined) state.clock = { at: WALL, market: asked, speed, by: 'start', why: 'a test', asked };
  return state;
}

function commandOf(settings: Partial<Parameters<typeof clockCommand>[0]>, state: State, now: EpochMs) {
  return clockCommand({ ...NOTHING, ...settings }, { state, now, wall: WALL });
}

test('a start without settings of the clock leaves it as it is', () => {
  assert.equal(commandOf({}, stateAt(0 as EpochMs), OPEN), undefined);
  assert.equal(commandOf({}, stateAt(LATER, OPEN), LATER), undefined);
  assert.equal(commandOf({ speed: 1 }, stateAt(LATER), LATER), undefined, 'it goes with the wall already');
  assert.equal(commandOf({ speed: 60 }, stateAt(LATER, OPEN), LATER), undefined);
});

test('a new folder begins at any instant, and one whose market is earlier jumps forward to it', () => {
  const first = commandOf({ clock: OPEN, speed: 0 }, stateAt(0 as EpochMs), LATER);
  assert.deepEqual(first, {
    type: 'SetClock',
    speed: 0,
    market: OPEN,
    asked: OPEN,
    by: 'start',
    why: 'started with --clock 2026-11-20 09:00:00 and --speed 0',
    wall: WALL,
  });
  const jump = must(commandOf({ clock: LATER }, stateAt(OPEN, OPEN, 600), OPEN), 'it jumps');
  assert.deepEqual([jump.market, jump.speed, jump.why], [LATER, 600, 'started with --clock 2026-11-25 10:15:00']);
  const [event] = decideSetClock(stateAt(OPEN, OPEN, 600), OPEN, jump);
  assert.deepEqual([event?.market, event?.asked], [LATER, LATER], 'at the same speed too');
});

test('the same start again goes on from where the market stands, and any other earlier instant is refused', () => {
  assert.equal(commandOf({ clock: OPEN }, stateAt(LATER, OPEN), LATER), undefined);
  const again = must(commandOf({ clock: OPEN, speed: 5 }, stateAt(LATER, OPEN), LATER), 'it has another speed');
  assert.deepEqual([again.market, again.speed, again.why], [LATER, 5, 'started with --speed 5']);
  for (const state of [stateAt(LATER), stateAt(LATER, ist('2026-11-19T09:00'))]) {
    assert.throws(
      () => commandOf({ clock: OPEN }, state, LATER),
      (error) => {
        assert.ok(error instanceof CommandFailed);
        assert.equal(error.exitCode, 78);
        assert.match(
          error.message,
          /--clock is 2026-11-20 09:00:00, and the market of \/srv\/x stands at 2026-11-25 10:15:00/,
        );
        return true;
      },
    );
  }
});

test('a start in a step lets it go on, and one that jumps beyond its place ends it: the market then stands', () => {
  const state = stateAt(OPEN, OPEN, 0);
  state.clock = { ...must(state.clock, 'a clock'), speed: 'max', until: ist('2027-11-20T09:00:00') };
  for (const settings of [{}, { speed: 60 }, { clock: OPEN }, { clock: OPEN, speed: 'max' }] as const) {
    assert.equal(commandOf(settings, state, OPEN), undefined, 'it goes on');
  }
  const jump = must(commandOf({ clock: LATER }, state, OPEN), 'it jumps');
  assert.deepEqual([jump.market, jump.speed, jump.until], [LATER, 0, undefined]);
  const asked = must(commandOf({ clock: LATER, speed: 5 }, state, OPEN), 'it jumps');
  assert.deepEqual([asked.market, asked.speed], [LATER, 5], 'a speed that is given counts');
});

test('the report of a start has the clock where it is set, and says when a folder was beyond the setting', () => {
  assert.equal(clockText(NOTHING, stateAt(LATER), LATER), undefined);
  assert.equal(clockText(NOTHING, stateAt(LATER, OPEN), LATER), '2026-11-25 10:15:00 IST, runs at x60');
  assert.equal(
    clockText({ ...NOTHING, clock: OPEN }, stateAt(LATER, OPEN, 0), LATER),
    '2026-11-25 10:15:00 IST, stands still, on from where it stood: --clock is 2026-11-20 09:00:00',
  );
});

test('dates that the market does not have are refused, those of a wrong machine only where none is given', () => {
  const early = { ...NOTHING, clock: ist('2019-12-31T23:59:59') };
  const days = /the market is there from 2020-01-01 to 2109-09-18/;
  assert.throws(() => expectDateOfMarket(early, WALL, false), days);
  const wrong = wallOf(ist('1970-01-02T00:00'));
  assert.throws(() => expectDateOfMarket(NOTHING, wrong, true), days);
  expectDateOfMarket(NOTHING, wrong, false);
  expectDateOfMarket({ ...NOTHING, clock: OPEN }, wrong, true);
});
