import assert from 'node:assert/strict';
import test from 'node:test';
import { type Quantity, quantity } from '../../../src/base/money.ts';
import { istInstant } from '../../../src/base/time.ts';
import { convertedUnits } from '../../../src/core/broker/settlement/converted-charges.ts';
import { tradeClassOf } from '../../../src/core/charges/charge-rates.ts';
import { contractNote, noteTotals } from '../../../src/core/charges/contract-note.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Product, Side } from '../../../src/core/order.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { EVERY_DAY } from '../../../src/core/trading-days.ts';
import { entryText } from '../../../src/views/ledger/entry-text.ts';
import { Ledger } from '../../../src/views/ledger.ts';
import { explainLimit } from '../../../src/views/limit-explained.ts';
import { FIRST_DAY, RELIANCE, RELIANCE_BSE } from '../../kit/money/listed.ts';
import { PlainLedger } from '../../kit/money/plain-ledger.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { RULES } from '../../kit/rules.ts';
import { reloaded } from '../../kit/stored-state.ts';

const CASH = 10_00_000_00;

/** Units of a share that count as one order of a product. */
type Traded = readonly [product: Product, side: Side, units: number, price: number];

/** A trader with shares of the first day, who trades at prices that a test names, and converts. */
class Trader {
  private readonly market = new StillMarket();
  private readonly ports = testPorts({ charges: RULES.charges, market: this.market, days: EVERY_DAY });
  readonly world = new World(this.ports, FIRST_DAY);
  readonly ledger = new Ledger();
  private readonly plain = new PlainLedger();
  private readonly by;
  private read = 0;

  constructor(cash = CASH) {
    this.quote(247_00);
    this.by = this.world.user('AB1234', cash);
    this.world.give(this.by, RELIANCE.id, 500, 500 * 200_00);
    this.look();
  }

  get account() {
    return this.world.account(this.by);
  }

  private quote(at: number): void {
    for (const { id } of [RELIANCE, RELIANCE_BSE]) this.market.quotes.set(id, { bid: at, ask: at, last: at });
  }

  /** Reads what happened since, and holds every rule to it. */
  private look(): void {
    for (const { events } of this.world.records.slice(this.read)) this.plain.read(events);
    this.read = this.world.records.length;
    this.ledger.fold(this.world.at, this.world.state.posted);
    this.plain.compare(this.world.state);
    checkInvariants(this.world.state, this.ports);
  }

  trade(product: Product, side: Side, units: number, at = 247_00, of = RELIANCE): void {
    this.quote(at);
    const order = this.world.place({ by: this.by, of: of.id, side, units, at, product });
    assert.equal(order.status, 'Complete');
    this.look();
  }

  /** Converts; gives what that was charged, below 0 what it gave back, or the rule that refused it. */
  convert(from: Product, to: Product, side: Side, units: number, of = RELIANCE): number | string {
    const words = { instrument: of.id, from, to, side, quantity: quantity(units), age: 'day' } as const;
    const { events, reply } = this.world.submit({ type: 'ConvertPosition', account: this.by, ...words });
    this.look();
    if (reply.type === 'Refused') return reply.refusal.rule;
    const charged = events.find((event) => event.type === 'ConversionCharged');
    assert.ok(charged, 'a conversion of shares is charged');
    return charged.brokerage + charged.levies;
  }

  /** Ends the day; gives all that it was charged. */
  dayCharges(): number {
    const before = this.world.records.length;
    this.world.passTo(istInstant((this.world.state.day + 1) as typeof FIRST_DAY));
    this.look();
    const posted = this.world.records.slice(before).flatMap(({ events }) => events);
    const note = posted.find((event) => event.type === 'ChargesPosted')?.note;
    return note === undefined ? 0 : noteTotals(note).total;
  }

  /** The day's charges so far, in paise. */
  get charged(): number {
    return 0 - this.account.books.charges;
  }

  explained() {
    return explainLimit(this.account, this.ledger, () => 'RELIANCE-EQ');
  }
}

/** The charges of the orders of a day that were placed so. */
function noteOf(...orders: readonly Traded[]): number {
  const executed = orders.map(([product, side, units, price]) => ({
    exchange: 'NSE' as const,
    tradeClass: tradeClassOf('equity', product),
    side,
    amount: (units * price) as never,
    quantity: units as Quantity,
    isin: RELIANCE.isin,
    gross: false,
    squaredOff: false,
  }));
  return noteTotals(contractNote(RULES.charges.on(FIRST_DAY), { orders: executed })).total;
}

test('an intraday purchase that is converted to delivery is charged as one, at the conversion', () => {
  const trader = new Trader();
  trader.trade('I', 'B', 100);
  const [asIntraday, asDelivery] = [noteOf(['I', 'B', 100, 247_00]), noteOf(['C', 'B', 100, 247_00])];
  assert.ok(asDelivery - asIntraday > 15_00, `${asIntraday}, ${asDelivery}`);
  assert.equal(trader.convert('I', 'C', 'B', 100), asDelivery - asIntraday);
  assert.equal(trader.charged, asDelivery - asIntraday);
  assert.equal(trader.dayCharges(), asDelivery);
  assert.equal(trader.account.books.cash, CASH - 100 * 247_00 - asDelivery, 'the note is paid once');
});

test('a conversion has its line in what explains the limit', () => {
  const trader = new Trader();
  trader.trade('I', 'B', 100);
  const charged = trader.convert('I', 'C', 'B', 100);
  const figure = trader.explained().find(({ name }) => name === 'charges and settlement');
  assert.deepEqual(
    figure?.entries.map(({ text, amount }) => [text, amount]),
    [['charges of 100 RELIANCE-EQ converted from I to C', charged]],
  );
  const note = { type: 'ChargesPosted', account: 0, note: {}, paid: {} } as never;
  assert.equal(entryText(note, String), 'charges of the day but for conversions');
});

test('a short sale that is converted to delivery pays the depository', () => {
  const trader = new Trader();
  trader.trade('I', 'S', 100);
  const asDelivery = noteOf(['C', 'S', 100, 247_00]);
  assert.equal(trader.convert('I', 'C', 'S', 100), asDelivery - noteOf(['I', 'S', 100, 247_00]));
  assert.ok(asDelivery > 15_93 + 25_00, 'its fee and its tax, and STT of both sides');
  assert.equal(trader.dayCharges(), asDelivery);
});

test('a delivery purchase that is converted to intraday gives back what it was dearer by', () => {
  const trader = new Trader();
  trader.trade('C', 'B', 100);
  assert.equal(trader.convert('C', 'I', 'B', 100), noteOf(['I', 'B', 100, 247_00]) - noteOf(['C', 'B', 100, 247_00]));
  assert.ok(trader.charged < 0, 'given back');
  assert.equal(trader.explained().find(({ name }) => name === 'charges and settlement')?.amount, 0, 'and not to spend');
  trader.trade('I', 'S', 100);
  assert.equal(trader.dayCharges(), noteOf(['I', 'B', 100, 247_00], ['I', 'S', 100, 247_00]));
});

test('of a part only that part is charged as what it became, and what comes back is charged as before', () => {
  const trader = new Trader();
  trader.trade('I', 'B', 100);
  trader.convert('I', 'C', 'B', 40);
  trader.convert('I', 'C', 'B', 20);
  assert.equal(
    trader.charged,
    noteOf(['I', 'B', 40, 247_00], ['C', 'B', 60, 247_00]) - noteOf(['I', 'B', 100, 247_00]),
  );
  trader.convert('C', 'I', 'B', 60);
  assert.equal(trader.charged, 0);
  assert.deepEqual([...convertedUnits(trader.account)], []);
  trader.convert('I', 'C', 'B', 30);
  trader.trade('I', 'S', 70);
  assert.equal(trader.dayCharges(), noteOf(['I', 'B', 70, 247_00], ['C', 'B', 30, 247_00], ['I', 'S', 70, 247_00]));
});

test('the newest units are converted, and stay so whatever is traded later', () => {
  const trader = new Trader();
  trader.trade('I', 'B', 100, 200_00);
  trader.trade('I', 'S', 100, 201_00);
  trader.trade('I', 'B', 100, 250_00);
  trader.convert('I', 'C', 'B', 100);
  trader.trade('I', 'B', 50, 300_00);
  trader.trade('I', 'S', 50, 301_00);
  const others: readonly Traded[] = [
    ['I', 'B', 100, 200_00],
    ['I', 'S', 100, 201_00],
    ['I', 'B', 50, 300_00],
    ['I', 'S', 50, 301_00],
  ];
  assert.equal(trader.dayCharges(), noteOf(...others, ['C', 'B', 100, 250_00]));
});

test('units that go back leave orders that were placed for delivery alone', () => {
  const trader = new Trader();
  trader.trade('I', 'B', 100, 250_00);
  trader.trade('C', 'B', 100, 200_00);
  trader.convert('I', 'C', 'B', 100);
  trader.convert('C', 'I', 'B', 130);
  trader.trade('I', 'S', 130, 210_00);
  const bought: readonly Traded[] = [
    ['I', 'B', 100, 250_00],
    ['I', 'B', 30, 200_00],
    ['C', 'B', 70, 200_00],
  ];
  assert.equal(trader.dayCharges(), noteOf(...bought, ['I', 'S', 130, 210_00]));
});

test('a sale on one exchange and a conversion on the other pay the depository once', () => {
  const trader = new Trader();
  trader.trade('C', 'S', 100);
  trader.trade('I', 'S', 100, 247_00, RELIANCE_BSE);
  const charged = trader.convert('I', 'C', 'S', 100, RELIANCE_BSE);
  assert.ok(typeof charged === 'number' && charged > 0 && charged < 20_00 + 15_93, String(charged));
  const { depository } = lastNote(trader);
  assert.equal(depository, 13_50);
});

test('an intraday position that nobody squared off is charged as the delivery that it becomes', () => {
  const trader = new Trader();
  trader.trade('I', 'B', 100);
  trader.trade('M', 'B', 100);
  assert.equal(trader.dayCharges(), noteOf(['C', 'B', 100, 247_00], ['C', 'B', 100, 247_00]));
});

test('a conversion whose charges nobody can pay is refused and changes nothing', () => {
  const trader = new Trader(100 * 247_00);
  trader.trade('I', 'B', 100);
  const before = stateHash(trader.world.state);
  assert.equal(trader.convert('I', 'C', 'B', 100), 'MarginShortfall');
  assert.equal(stateHash(trader.world.state), before);
  assert.notEqual(trader.convert('I', 'C', 'B', 99), 'MarginShortfall');
});

test('a restart between a conversion and the end of its day forgets nothing', () => {
  const [one, other] = [new Trader(), new Trader()];
  for (const trader of [one, other]) {
    trader.trade('I', 'B', 100);
    trader.convert('I', 'C', 'B', 70);
  }
  other.world.state = reloaded(other.world.state);
  for (const trader of [one, other]) trader.dayCharges();
  assert.equal(stateHash(one.world.state), stateHash(other.world.state));
  assert.equal(one.account.converted, undefined, 'a day begins without');
});

test('many conversions there and back cost what the last one left', () => {
  const trader = new Trader();
  for (let order = 0; order < 10; order += 1) trader.trade('I', 'B', 10, 240_00 + order * 100);
  for (let turn = 0; turn < 50; turn += 1) {
    trader.convert('I', 'C', 'B', 1 + (turn % 37));
    trader.convert('C', 'I', 'B', 1 + (turn % 37));
  }
  assert.equal(trader.charged, 0);
  trader.convert('I', 'C', 'B', 15);
  trader.trade('I', 'S', 85);
  const kept = Array.from({ length: 8 }, (_, order): Traded => ['I', 'B', 10, 240_00 + order * 100]);
  const parts: readonly Traded[] = [...kept, ['I', 'B', 5, 248_00], ['C', 'B', 5, 248_00], ['C', 'B', 10, 249_00]];
  assert.equal(trader.dayCharges(), noteOf(...parts, ['I', 'S', 85, 247_00]));
});

function lastNote(trader: Trader) {
  trader.dayCharges();
  const posted = trader.world.records.flatMap(({ events }) => events).findLast(({ type }) => type === 'ChargesPosted');
  assert.ok(posted?.type === 'ChargesPosted');
  return posted.note;
}
