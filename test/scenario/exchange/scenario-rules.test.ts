import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, InstrumentId, Tick } from '../../../src/base/ids.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import { judge } from '../../../src/core/broker/orders/admission.ts';
import { placementWish } from '../../../src/core/broker/orders/orders.ts';
import { CheckTrace } from '../../../src/core/broker/trials/check-trace.ts';
import { portsFor } from '../../../src/core/decide.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { refusalText } from '../../../src/core/refusals/refusal-text.ts';
import type { SetScenario } from '../../../src/core/scenarios/rules/scenario-commands.ts';
import type { ScenarioEffect } from '../../../src/core/scenarios/rules/scenario-effect.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { emptyState } from '../../../src/core/state.ts';
import { FIRST_DAY, NIFTY, NIFTY_FUTURE, PAYTM, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { type OrderWords, placement, rupees, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { reloaded } from '../../kit/stored-state.ts';

const GROUNDS = { by: 'asha', why: 'a test' };
const SHARE = { of: RELIANCE.id, units: 10, product: 'I' } as const;

function scene() {
  const market = new StillMarket();
  for (const share of [RELIANCE, PAYTM]) {
    market.quotes.set(share.id, { bid: 999_00, ask: 1_001_00, last: 1_000_00, band: [900_00, 1_100_00] });
  }
  market.quotes.set(NIFTY_FUTURE.id, { bid: 199_00, ask: 201_00, last: 200_00 });
  const ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('DEMO1', rupees(50_000_000));
  const set = (effect: ScenarioEffect, terms: Partial<SetScenario> = {}): number => {
    const { reply } = world.submit({ type: 'SetScenario', effect, value: 0, count: 1, ...GROUNDS, ...terms });
    assert.equal(reply.type, 'ScenarioSet', JSON.stringify(reply));
    return reply.type === 'ScenarioSet' ? reply.rule.id : 0;
  };
  const refusal = (effect: ScenarioEffect, terms: Partial<SetScenario> = {}): string => {
    const { reply } = world.submit({ type: 'SetScenario', effect, value: 0, count: 1, ...GROUNDS, ...terms });
    assert.equal(reply.type, 'Refused');
    return reply.type === 'Refused' ? refusalText(reply.refusal, { userId: 'DEMO1' }) : '';
  };
  const use = (rule: number, tokenDigest?: string) =>
    world.submit({ type: 'UseScenario', rule, account: by, operation: 'limit', ...(tokenDigest && { tokenDigest }) });
  const pass = (seconds: number, id: InstrumentId = RELIANCE.id) => {
    world.at = (world.at + seconds * 1_000) as EpochMs;
    return world.submit({ type: 'MoveMarket', instrument: id, tick: (world.at / 1_000) as Tick }).events;
  };
  const noted = (words: OrderWords): Readonly<Record<string, unknown>> => {
    const command = placement(words);
    const desk = portsFor(world.state, ports, { seq: world.state.seq, at: world.at, command });
    const trace = new CheckTrace();
    judge(placementWish(world.state, desk, command), trace);
    return Object.fromEntries(trace.findings.flatMap(({ figures }) => figures.map(({ name, value }) => [name, value])));
  };
  return { market, world, by, set, refusal, use, pass, noted };
}

/** The state is the fold of the records, and a dump holds all of it. */
function isWhole(world: World): void {
  checkInvariants(world.state);
  const folded = emptyState();
  for (const record of world.records) applyRecord(folded, record);
  assert.equal(stateHash(folded), stateHash(world.state));
  assert.equal(stateHash(reloaded(world.state)), stateHash(world.state));
}

test('a rule halts an instrument and its contracts for its seconds, and ends by itself', () => {
  const { market, world, by, set, pass, noted } = scene();
  const resting = world.place({ ...SHARE, by, side: 'B', at: 990_00 });
  const rule = set('halted', { instrument: RELIANCE.id, value: 60 });
  set('halted', { instrument: NIFTY.id, value: 60 });
  const buy = { ...SHARE, by, side: 'B', at: 990_00 } as const;
  assert.equal(world.refusal(buy).rule, 'InstrumentSuspended');
  assert.equal(noted(buy)['stopped by'], `scenario rule ${rule} (halted)`);
  const future = { of: NIFTY_FUTURE.id, by, side: 'B', units: NIFTY_FUTURE.lot, at: 190_00 } as const;
  assert.equal(world.refusal(future).rule, 'InstrumentSuspended');
  assert.equal(world.place({ ...buy, of: PAYTM.id }).status, 'Open');
  market.quotes.set(RELIANCE.id, { bid: 975_00, ask: 979_00, last: 977_00, band: [900_00, 1_100_00] });
  assert.deepEqual(pass(59), [], 'the market goes through the order');
  isWhole(world);
  assert.equal(pass(1)[0]?.type, 'Traded');
  assert.equal(resting.status, 'Complete');
  assert.equal(world.place(future).status, 'Open');
  assert.equal(noted(buy)['stopped by'], 'nothing');
  isWhole(world);
});

test('at the upper end of its band an instrument has buyers alone, and stops and sales meet that price', () => {
  const { world, by, set, pass, noted } = scene();
  world.place({ ...SHARE, by, side: 'B', at: 1_001_00 });
  const stop = world.place({ ...SHARE, by, side: 'B', type: 'SL-LMT', trigger: 1_050_00, at: 1_060_00 });
  const offer = world.place({ ...SHARE, by, side: 'S', at: 1_020_00 });
  const rule = set('upper-circuit', { instrument: RELIANCE.id, value: 60 });
  assert.deepEqual(
    pass(1).flatMap((event) => (event.type === 'Traded' ? [event.price] : [])),
    [1_020_00],
    'an offer trades at its own price',
  );
  assert.equal(offer.status, 'Complete');
  assert.equal(stop.status, 'Open', 'the stop fired, and nobody sells');
  const bid = world.place({ ...SHARE, by, side: 'B', at: 1_100_00 });
  assert.equal(bid.status, 'Open');
  assert.equal(
    noted({ ...SHARE, by, side: 'B', at: 1_100_00 })['held at its band by'],
    `scenario rule ${rule} (upper-circuit)`,
  );
  const sale = world.place({ ...SHARE, by, side: 'S', type: 'MKT' });
  assert.deepEqual([sale.status, sale.filledAmount], ['Complete', 10 * 1_100_00]);
  isWhole(world);
  pass(60);
  assert.equal(bid.status, 'Complete', 'the market is as it was');
  isWhole(world);
});

test('each use counts down, the last one removes the rule, and a session ends with its use', () => {
  const { world, by, set, use } = scene();
  const rule = set('429', { value: 3, count: 2, account: by, operation: 'limit' });
  assert.equal(rule, world.state.seq, 'a rule has the number of its record');
  assert.equal(use(rule).reply.type, 'Done');
  assert.equal(world.state.scenarioRules.get(rule)?.left, 1);
  isWhole(world);
  assert.equal(use(rule).reply.type, 'Done');
  const none = use(rule);
  assert.deepEqual([none.reply.type, none.events.length], ['Refused', 0]);
  world.submit({ type: 'OpenSession', account: by, tokenDigest: 'aa' });
  const ends = set('session-expired', { count: 2 });
  assert.deepEqual(
    use(ends, 'aa').events.map(({ type }) => type),
    ['ScenarioUsed', 'SessionClosed'],
  );
  assert.equal(world.state.sessions.size, 0);
  assert.deepEqual(
    use(ends, 'aa').events.map(({ type }) => type),
    ['ScenarioUsed'],
  );
  isWhole(world);
});

test('rules are removed one by one or all together, and those that are over make room', () => {
  const { world, set, refusal, pass } = scene();
  const clear = (rule?: number) => world.submit({ type: 'ClearScenarios', ...(rule && { rule }), ...GROUNDS });
  assert.equal(clear().events.length, 0);
  const first = set('500');
  assert.equal(clear(first + 1).reply.type, 'Refused');
  set('stale-quote', { instrument: RELIANCE.id, value: 10 });
  for (let count = world.state.scenarioRules.size; count < 200; count += 1) set('500');
  assert.equal(refusal('500'), 'there are 200 rules of outcomes already, which is the most');
  pass(10);
  set('500');
  assert.equal(world.state.scenarioRules.size, 200, 'the window of the market is over');
  clear(first);
  assert.equal(world.state.scenarioRules.has(first), false);
  clear();
  assert.equal(world.state.scenarioRules.size, 0);
  isWhole(world);
});

test('a rule that cannot be is refused in words, and changes nothing', () => {
  const { market, world, by, refusal } = scene();
  const at = { instrument: RELIANCE.id };
  const before = stateHash(world.state);
  assert.equal(refusal('500', { value: 1 }), '500 takes no value');
  assert.equal(refusal('slow'), 'slow needs a value from 1 to 60000, in milliseconds');
  assert.equal(refusal('slow', { value: 60_001 }), 'slow needs a value from 1 to 60000, in milliseconds');
  assert.equal(refusal('slow', { value: 0.5 }), 'slow needs a value from 1 to 60000, in milliseconds');
  assert.equal(refusal('500', { count: 0 }), 'the count of 500 must be 1 to 1000000');
  assert.match(refusal('halted', { ...at, value: 5, count: 2 }), /begins at once .* used once/);
  assert.equal(refusal('wrong-totp', { operation: 'limit' }), 'wrong-totp concerns the operation login alone');
  assert.match(refusal('stream-gap', { operation: 'limit' }), /takes no operation/);
  assert.equal(refusal('halted', { value: 5 }), 'halted needs an instrument');
  assert.match(refusal('stream-drop', at), /takes no instrument/);
  assert.match(refusal('halted', { ...at, value: 5, account: by }), /takes no user/);
  assert.equal(refusal('500', { account: 9 as AccountId }), 'the user is unknown');
  assert.match(refusal('crossed-quote', { instrument: NIFTY.id, value: 5 }), /not allowed to trade/);
  market.quotes.set(RELIANCE.id, { last: 1_000_00, closed: true });
  assert.equal(refusal('upper-circuit', { ...at, value: 5 }), 'ORA:AMO is stopped');
  assert.equal(stateHash(world.state), before);
});
