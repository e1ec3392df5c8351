import assert from 'node:assert/strict';
import test from 'node:test';
import { price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { istInstant } from '../../../src/base/time.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import { refusalText } from '../../../src/core/refusals/refusal-text.ts';
import { emptyState, type State } from '../../../src/core/state.ts';
import { reasonText } from '../../../src/gateway/fields/order-words.ts';
import { FIRST_DAY, NIFTY, NIFTY_CALL, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { type KeptRecord, type OrderWords, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { reloaded, storedParts } from '../../kit/stored-state.ts';

const CRORE = 1_000_000_000;

/** The records fold into one state, whether from the first on or from a dump in their middle. */
function replays(records: readonly KeptRecord[], lived: State): void {
  const whole = emptyState();
  for (const record of records) applyRecord(whole, record);
  assert.deepEqual(storedParts(whole), storedParts(lived));
  const half = emptyState();
  const middle = Math.floor(records.length / 2);
  for (const record of records.slice(0, middle)) applyRecord(half, record);
  const loaded = reloaded(half);
  for (const record of records.slice(middle)) applyRecord(loaded, record);
  assert.deepEqual(storedParts(loaded), storedParts(lived));
}

const GAP_TEXT = '16448:Difference between limit price and trigger price is beyond permissible range';
const PROTECTION_TEXT = '17070:The Price is out of the current LPP range';
const EXECUTION_TEXT = '17182:The order could have resulted in trade beyond mark-up price';

function open(call = 120_00, strictTrigger = true) {
  const market = new StillMarket();
  const show = (id: typeof NIFTY_CALL.id, last: number, bid = last - 5, ask = last + 5, size = 1_000) =>
    market.quotes.set(id, { bid, ask, last, close: last, size });
  show(RELIANCE.id, 840_00);
  show(NIFTY_CALL.id, call);
  show(NIFTY_FUTURE.id, 24_000_00);
  /** The average of the market's trades, of so large a volume that users' own do not count. */
  const averages = new Map<typeof NIFTY_CALL.id, number>();
  market.turnover = (id) => {
    const average = averages.get(id) ?? market.lastPrint(id, market.tickAt(world.at)).price;
    return { quantity: 10 ** 8, value: average * 10 ** 8 };
  };
  const ports = testPorts({ market, strictTrigger });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', 10 * CRORE);
  const other = world.user('CD5678', 10 * CRORE);
  const say = (words: OrderWords) => refusalText(world.refusal(words), { userId: 'AB1234' });
  const reasons = () =>
    world.records.at(-1)?.events.flatMap((event) => (event.type === 'OrderCancelled' ? [event.reason] : []));
  return { market, show, averages, world, by, other, say, reasons };
}

test('the limit of a stop is within its gap of the trigger, to the tick', () => {
  const { world, by, say, show } = open();
  const share = { by, of: RELIANCE.id, units: 1, type: 'SL-LMT', product: 'I' } as const;
  assert.equal(say({ ...share, side: 'B', trigger: 850_00, at: 876_00 }), GAP_TEXT);
  assert.equal(world.place({ ...share, side: 'B', trigger: 850_00, at: 875_50 }).status, 'TriggerPending');
  assert.equal(say({ ...share, side: 'S', trigger: 830_00, at: 805_05 }), GAP_TEXT);
  assert.equal(world.place({ ...share, side: 'S', trigger: 830_00, at: 805_10 }).status, 'TriggerPending');
  const option = { by, of: NIFTY_CALL.id, units: 65, type: 'SL-LMT' } as const;
  show(NIFTY_CALL.id, 190_00);
  assert.equal(say({ ...option, side: 'S', trigger: 180_00, at: 143_95 }), GAP_TEXT);
  assert.equal(world.place({ ...option, side: 'S', trigger: 180_00, at: 144_00 }).status, 'TriggerPending');
  show(NIFTY_CALL.id, 25_00);
  assert.equal(say({ ...option, side: 'B', trigger: 30_00, at: 40_05 }), GAP_TEXT);
  const stop = world.place({ ...option, side: 'B', trigger: 30_00, at: 40_00 });
  assert.equal(stop.status, 'TriggerPending');
  const wider = { ...stop.terms, price: price(40_05) };
  const { reply } = world.submit({ type: 'ModifyOrder', account: by, order: stop.number, terms: wider });
  assert.ok(reply.type === 'Refused' && reply.refusal.rule === 'StopGapTooWide', 'a modification passes it too');
});

test('a limit of an option is refused beyond its protection on the dear side, and taken on the other', () => {
  const { world, by, say } = open();
  const option = { by, of: NIFTY_CALL.id, units: 65 } as const;
  assert.equal(say({ ...option, side: 'B', at: 168_05 }), PROTECTION_TEXT);
  assert.equal(world.place({ ...option, side: 'B', at: 168_00 }).status, 'Complete');
  assert.equal(say({ ...option, side: 'S', at: 71_95 }), PROTECTION_TEXT);
  const bid = world.place({ ...option, side: 'B', at: 60_00 });
  assert.equal(bid.status, 'Open');
  assert.equal(world.place({ ...option, side: 'S', at: 200_00 }).status, 'Open');
  const dear = { ...bid.terms, price: price(168_05) };
  const { reply } = world.submit({ type: 'ModifyOrder', account: by, order: bid.number, terms: dear });
  assert.ok(reply.type === 'Refused' && reply.refusal.rule === 'OutsideProtection');
  assert.deepEqual([bid.status, bid.terms.price], ['Open', 60_00], 'it stays as it was');
});

test('a share has no limit price protection', () => {
  const { world, by } = open();
  assert.equal(
    world.place({ by, of: RELIANCE.id, side: 'B', units: 1, at: 1_500_00, product: 'C' }).status,
    'Complete',
  );
});

test('a market order is brought inside the protection instead of being refused', () => {
  const { world, by, show } = open();
  show(NIFTY_CALL.id, 120_00, 60_00, 400_00);
  const option = { by, of: NIFTY_CALL.id, units: 65 } as const;
  const buy = world.place({ ...option, side: 'B' });
  assert.deepEqual([buy.status, buy.terms.price], ['Open', 168_00]);
  world.submit({ type: 'CancelOrder', account: by, order: buy.number });
  const sale = world.place({ ...option, side: 'S' });
  assert.deepEqual([sale.status, sale.terms.price], ['Open', 72_00]);
});

test('the limit of a stop is looked at when it fires: one beyond the protection is cancelled', () => {
  const { world, by, show, market, averages } = open(300_00);
  const stop = world.place({
    by,
    of: NIFTY_CALL.id,
    side: 'S',
    units: 65,
    type: 'SL-LMT',
    trigger: 290_00,
    at: 232_00,
  });
  const own = world.place({ by, of: NIFTY_CALL.id, side: 'S', units: 65, type: 'SL-MKT', trigger: 280_00 });
  averages.set(NIFTY_CALL.id, 400_00);
  show(NIFTY_CALL.id, 270_00, 275_00, 280_00);
  const { events } = world.submit({ type: 'MoveMarket', instrument: NIFTY_CALL.id, tick: market.tickAt(world.at) });
  assert.deepEqual([stop.status, own.filled], ['Cancelled', 65], 'what the broker made a limit of is let through');
  const ended = events.find((event) => event.type === 'OrderCancelled');
  assert.ok(ended?.type === 'OrderCancelled' && ended.reason === 'OutsideProtection');
  assert.equal(reasonText(ended.reason, 'AB1234', { kind: 'option' }), PROTECTION_TEXT);
});

test('a stop that fires as it comes has its limit looked at then, and a journal of it replays', () => {
  const { world, by, show, averages } = open(300_00, false);
  averages.set(NIFTY_CALL.id, 400_00);
  show(NIFTY_CALL.id, 270_00, 275_00, 280_00);
  const option = { by, of: NIFTY_CALL.id, side: 'S', units: 65 } as const;
  const beyond = world.place({ ...option, type: 'SL-LMT', trigger: 290_00, at: 232_00 });
  const told = world.records
    .at(-1)
    ?.events.map((event) => (event.type === 'OrderCancelled' ? event.reason : event.type));
  assert.deepEqual(told?.slice(0, 5), [
    'OrderReceived',
    'OrderAcknowledged',
    'StopArmed',
    'StopTriggered',
    'OutsideProtection',
  ]);
  assert.equal(beyond.status, 'Cancelled');
  const own = world.place({ ...option, type: 'SL-MKT', trigger: 280_00 });
  assert.equal(own.status, 'Complete', 'what the broker made a limit of is let through');
  const within = world.place({ ...option, type: 'SL-LMT', trigger: 300_00, at: 290_00 });
  assert.deepEqual([within.status, within.terms.price], ['Open', 290_00], 'it rests at its limit');
  replays(world.records, world.state);
});

test('a match outside the execution range is not made, and what is left of the aggressor is cancelled', () => {
  const { world, by, other, show, averages, reasons } = open();
  const future = { of: NIFTY_FUTURE.id, units: 65 } as const;
  averages.set(NIFTY_FUTURE.id, 24_000_00);
  show(NIFTY_FUTURE.id, 24_000_00, 23_999_00, 24_001_00, 65);
  const near = world.place({ ...future, by: other, side: 'S', at: 24_600_00 });
  const far = world.place({ ...future, by: other, side: 'S', at: 24_720_05 });
  averages.set(NIFTY_FUTURE.id, 23_500_00);
  const buy = { ...future, by, side: 'B', units: 195 } as const;
  assert.equal(world.refusal({ ...buy, at: 24_720_05 }).rule, 'OutsideProtection', 'protection is narrower');
  averages.set(NIFTY_FUTURE.id, 24_000_05);
  const within = world.place({ ...buy, at: 24_720_05 });
  assert.deepEqual([within.status, within.filled, near.filled, far.filled], ['Complete', 195, 65, 65]);
  const bid = world.place({ ...future, by, side: 'B', at: 23_900_00 });
  averages.set(NIFTY_FUTURE.id, 22_500_00);
  show(NIFTY_FUTURE.id, 22_500_00, 22_499_00, 22_501_00, 65);
  const sale = world.place({ ...future, by: other, side: 'S', at: 22_400_00 });
  assert.deepEqual([sale.status, sale.filled, bid.filled], ['Cancelled', 0, 0], '23,900 is above 23,625');
  assert.deepEqual(reasons(), ['BeyondExecutionRange']);
  assert.equal(reasonText('BeyondExecutionRange', 'AB1234', { kind: 'future' }), EXECUTION_TEXT);
});

test('trades of users as aggressors move the protection of a contract, and a share keeps no count of them', () => {
  const { market, world, by, other, say } = open();
  market.turnover = () => ({ quantity: 0, value: 0 });
  const option = { of: NIFTY_CALL.id, units: 65 } as const;
  assert.equal(say({ ...option, by, side: 'B', at: 200_00 }), PROTECTION_TEXT);
  market.quotes.set(NIFTY_CALL.id, { last: 120_00 });
  world.place({ ...option, by: other, side: 'S', at: 160_00 });
  assert.equal(world.place({ ...option, by, side: 'B', at: 160_00 }).status, 'Complete');
  assert.equal(world.place({ ...option, by, side: 'B', at: 200_00 }).status, 'Open', '40 % above 160.00 are 224.00');
  assert.equal(world.state.books.get(NIFTY_CALL.id)?.dump().recent.length, 1);
  market.quotes.set(RELIANCE.id, { last: 840_00 });
  const share = { of: RELIANCE.id, units: 1, at: 840_00, product: 'I' } as const;
  world.place({ ...share, by: other, side: 'S' });
  assert.equal(world.place({ ...share, by, side: 'B' }).status, 'Complete');
  assert.deepEqual(world.state.books.get(RELIANCE.id)?.dump().recent, []);
});

test('a trade at the very edge of the execution range is made', () => {
  const { world, by, show } = open();
  const option = { by, of: NIFTY_CALL.id, units: 65 } as const;
  show(NIFTY_CALL.id, 120_00, 72_00, 168_00);
  assert.equal(world.place({ ...option, side: 'B', at: 168_00 }).status, 'Complete');
  assert.equal(world.place({ ...option, side: 'S', at: 72_00 }).status, 'Complete');
});

test('the market does not trade through a resting order outside the execution range either', () => {
  const { world, by, show, market } = open(300_00);
  const bid = world.place({ by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 290_00 });
  show(NIFTY_CALL.id, 150_00);
  const move = () =>
    world.submit({ type: 'MoveMarket', instrument: NIFTY_CALL.id, tick: market.tickAt(world.at) }).events.length;
  assert.equal(move(), 0, '290 is above 210: the market fell without trading there');
  assert.equal(bid.status, 'Open');
  show(NIFTY_CALL.id, 250_00);
  assert.ok(move() > 0);
  assert.deepEqual([bid.status, bid.filledAmount], ['Complete', 290_00 * 65]);
});

test('the market trades with a resting order at the very edge of the execution range, and not beyond it', () => {
  const { world, by, show, market } = open(300_00);
  const sales = [420_00, 420_05].map((at) => world.place({ by, of: NIFTY_CALL.id, side: 'S', units: 65, at }));
  const bid = world.place({ by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 180_00 });
  const move = () =>
    world.submit({ type: 'MoveMarket', instrument: NIFTY_CALL.id, tick: market.tickAt(world.at) }).events.length;
  show(NIFTY_CALL.id, 300_00, 421_00, 422_00);
  move();
  assert.deepEqual(
    sales.map(({ status }) => status),
    ['Complete', 'Open'],
  );
  show(NIFTY_CALL.id, 300_05, 170_00, 180_00);
  move();
  assert.equal(bid.status, 'Open', '180.00 is below 180.03');
  show(NIFTY_CALL.id, 300_00, 170_00, 180_00);
  move();
  assert.equal(bid.status, 'Complete');
});

test('no trade of a contract is outside its range, whatever users and the market do', () => {
  const SEED = 20_261_121;
  const { world, by, other, show, market } = open();
  const random = new Random(SEED);
  let trades = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const last = 5 * (1 + random.below(8_000));
    show(NIFTY_CALL.id, last, Math.max(5, last - 5), last + 5, 65 * (1 + random.below(3)));
    const [lower, upper] = last <= 50_00 ? [last - 20_00, last + 20_00] : [last * 0.6, last * 1.4];
    const before = world.records.length;
    world.submit({ type: 'MoveMarket', instrument: NIFTY_CALL.id, tick: market.tickAt(world.at) });
    world.submit({
      type: 'PlaceOrder',
      account: random.below(2) === 0 ? by : other,
      instrument: NIFTY_CALL.id,
      side: random.below(2) === 0 ? 'B' : 'S',
      product: 'M',
      remarks: '',
      terms: {
        priceType: 'LMT',
        retention: random.below(4) === 0 ? 'IOC' : 'DAY',
        quantity: quantity(65 * (1 + random.below(4))),
        price: price(5 * (1 + random.below(8_000))),
        trigger: price(0),
      },
    });
    for (const { events } of world.records.slice(before)) {
      for (const event of events) {
        if (event.type !== 'Traded') continue;
        trades += 1;
        assert.ok(event.price >= lower && event.price <= upper, `seed ${SEED}, round ${round}`);
      }
    }
    world.at = (world.at + 1_000) as typeof world.at;
  }
  assert.ok(trades > 200, `${trades} trades`);
  replays(world.records, world.state);
});

test('orders that a sliding band leaves behind are cancelled, and nothing else of the book', () => {
  const { world, by, other, market, reasons } = open();
  const share = { of: RELIANCE.id, units: 1, product: 'C' } as const;
  world.give(other, RELIANCE.id, 10, 8_000_00);
  const quote = { bid: 830_00, ask: 850_00, last: 840_00, close: 840_00 };
  const move = () =>
    world.submit({ type: 'MoveMarket', instrument: RELIANCE.id, tick: market.tickAt(world.at) }).events.length;
  market.quotes.set(RELIANCE.id, { ...quote, band: [756_00, 924_00] });
  const low = world.place({ ...share, by, side: 'B', at: 756_00 });
  const edge = world.place({ ...share, by, side: 'B', at: 798_00 });
  const high = world.place({ ...share, by: other, side: 'S', at: 924_00 });
  assert.equal(move(), 0);
  market.quotes.set(RELIANCE.id, { ...quote, band: [798_00, 966_00] });
  assert.ok(move() > 0);
  assert.deepEqual([low.status, edge.status, high.status], ['Cancelled', 'Open', 'Open']);
  assert.deepEqual(reasons(), ['OutsideBand']);
  assert.equal(
    reasonText('OutsideBand', 'AB1234', { kind: 'equity' }),
    "16284:The order price is out of the day's price range.",
  );
  assert.equal(move(), 0);
});

test('no order rests outside its band once the market has met a flex', () => {
  const SEED = 20_261_122;
  const random = new Random(SEED);
  const { world, by, market } = open();
  const tick = market.tickAt(world.at);
  let slid = 0;
  let cancelled = 0;
  for (let round = 0; round < 500; round += 1) {
    if (random.below(5) === 0) slid = Math.max(-60, Math.min(60, slid + random.between(-20, 20)));
    const middle = 840_00 + slid * 100;
    const [lower, upper] = [middle - 84_00, middle + 84_00];
    market.quotes.set(RELIANCE.id, { bid: lower, ask: upper, last: middle, close: 840_00, band: [lower, upper] });
    const { events } = world.submit({ type: 'MoveMarket', instrument: RELIANCE.id, tick });
    cancelled += events.filter((event) => event.type === 'OrderCancelled').length;
    const side = random.below(2) === 0 ? 'B' : 'S';
    const at = 5 * random.between((side === 'B' ? lower : middle) / 5, (side === 'B' ? middle : upper) / 5);
    world.submit({
      type: 'PlaceOrder',
      account: by,
      instrument: RELIANCE.id,
      side,
      product: 'I',
      remarks: '',
      terms: { priceType: 'LMT', retention: 'DAY', quantity: quantity(1), price: price(at), trigger: price(0) },
    });
    for (const one of ['B', 'S'] as const) {
      for (const level of world.state.books.get(RELIANCE.id)?.levels(one, 1_000) ?? []) {
        assert.ok(level.price >= lower && level.price <= upper, `seed ${SEED}, round ${round}`);
      }
    }
  }
  assert.ok(cancelled > 20, `${cancelled} cancelled`);
});

test('10 % of NIFTY halts every market for its time: orders are refused, cancels pass, nothing trades, and then it goes on', () => {
  const { world, by, market, say } = open();
  market.quotes.set(NIFTY.id, { last: 24_000_00, close: 24_000_00 });
  const check = () => world.submit({ type: 'CheckBreaker' }).events;
  const at = (hour: number, minute: number, second = 0) => {
    world.at = istInstant(FIRST_DAY, ((hour * 60 + minute) * 60 + second) * 1_000);
  };
  const share = { by, of: RELIANCE.id, side: 'B', units: 1, product: 'C' } as const;
  const move = () =>
    world.submit({ type: 'MoveMarket', instrument: RELIANCE.id, tick: market.tickAt(world.at) }).events.length;
  at(12, 59);
  assert.deepEqual(check(), []);
  const bid = world.place({ ...share, at: 835_00 });
  const stop = world.place({ ...share, type: 'SL-LMT', trigger: 845_00, at: 850_00 });
  const gone = world.place({ ...share, at: 830_00 });
  market.quotes.set(NIFTY.id, { last: 21_600_00, close: 24_000_00 });
  assert.deepEqual(
    check().map((event) => event.type === 'BreakerTripped' && [event.stage, event.until * 1_000 - world.at]),
    [[10, 60 * 60_000]],
  );
  assert.deepEqual(check(), [], 'a stage halts once');
  const halted = '16278:The markets have not been opened for trading.';
  assert.equal(say({ ...share, at: 840_00 }), halted);
  assert.equal(say({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00 }), halted);
  world.submit({ type: 'CancelOrder', account: by, order: gone.number });
  assert.equal(gone.status, 'Cancelled');
  market.quotes.set(RELIANCE.id, { bid: 815_00, ask: 820_00, last: 850_00, close: 840_00 });
  at(13, 58, 59);
  assert.equal(move(), 0);
  assert.deepEqual([bid.status, stop.status], ['Open', 'TriggerPending']);
  at(13, 59);
  assert.ok(move() > 0);
  assert.deepEqual([bid.status, stop.status], ['Complete', 'Complete']);
  at(14, 5);
  market.quotes.set(NIFTY.id, { last: 20_400_00, close: 24_000_00 });
  assert.equal(check().length, 1);
  at(23, 59, 59);
  assert.equal(say({ ...share, at: 820_00 }), halted, '15 % at 14:05 ends the day');
  const loaded = reloaded(world.state);
  assert.deepEqual(storedParts(loaded), storedParts(world.state));
  world.nextDay();
  assert.equal(world.place({ ...share, at: 820_00 }).status, 'Complete');
  assert.equal(check().length, 1, 'each day has its own halts');
});

test('a price on the edge of the band is taken, and one a tick beyond is refused with the band', () => {
  const { world, by, other, market, say } = open();
  world.give(other, RELIANCE.id, 10, 4_000_00);
  market.quotes.set(RELIANCE.id, { last: 425_40, close: 425_40, band: [404_15, 446_65] });
  const buy = { by, of: RELIANCE.id, side: 'B', units: 1, product: 'C' } as const;
  const sell = { ...buy, by: other, side: 'S' } as const;
  assert.equal(world.place({ ...buy, at: 404_15 }).status, 'Open');
  assert.equal(world.place({ ...sell, at: 446_65 }).status, 'Open');
  const text = (current: string) =>
    `RED:RULE:{Check circuit limit including square off order}Current:INR ${current} LowerCircuit:INR 404.15 ` +
    'UpperCircuit:INR 446.65:NSE.RELIANCE-EQ for C-AB1234 [ONLINE]';
  assert.equal(say({ ...buy, at: 404_10 }), text('404.10'));
  assert.equal(say({ ...sell, at: 446_70 }), text('446.70'));
});

test('a band that slides while its share is suspended leaves orders where they are, and takes them out when trading goes on', () => {
  const { world, by, market, reasons } = open();
  const quote = { bid: 830_00, ask: 850_00, last: 840_00, close: 840_00 };
  const move = () =>
    world.submit({ type: 'MoveMarket', instrument: RELIANCE.id, tick: market.tickAt(world.at) }).events;
  const suspend = (on: boolean) =>
    world.submit({
      type: 'SetSwitch',
      target: { kind: 'Suspension', instrument: RELIANCE.id },
      on,
      by: 'asha',
      why: 'a test',
    });
  market.quotes.set(RELIANCE.id, { ...quote, band: [756_00, 924_00] });
  const low = world.place({ of: RELIANCE.id, units: 1, product: 'C', by, side: 'B', at: 760_00 });
  suspend(true);
  market.quotes.set(RELIANCE.id, { ...quote, bid: 740_00, ask: 750_00, band: [798_00, 966_00] });
  assert.deepEqual([move().length, low.status], [0, 'Open']);
  suspend(false);
  assert.ok(move().length > 0);
  assert.deepEqual([low.status, low.filled], ['Cancelled', 0], 'it ends before the market can trade it');
  assert.deepEqual(reasons(), ['OutsideBand']);
});

test('a market order that finds nobody rests at its protected price, and an immediate one ends', () => {
  const { world, by, market } = open();
  market.quotes.set(RELIANCE.id, { last: 850_40, close: 840_00 });
  const order = { by, of: RELIANCE.id, side: 'B', units: 1, product: 'I' } as const;
  const waits = world.place(order);
  assert.deepEqual(
    [waits.status, waits.terms.priceType, waits.terms.price],
    ['Open', 'MKT', 854_65],
    'half a per cent',
  );
  const gone = world.place({ ...order, retention: 'IOC' });
  assert.deepEqual([gone.status, gone.filled], ['Cancelled', 0]);
  market.quotes.set(RELIANCE.id, { ask: 852_00, last: 850_40, close: 840_00 });
  world.submit({ type: 'MoveMarket', instrument: RELIANCE.id, tick: market.tickAt(world.at) });
  assert.deepEqual([waits.status, waits.filledAmount], ['Complete', 854_65], 'at its own price, as what rests');
});
