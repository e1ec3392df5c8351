import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountId, InstrumentId, OrderNumber, TradeId } from '../../../src/base/ids.ts';
import { price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { tickOf } from '../../../src/base/tick.ts';
import { type EpochMs, type IstDay, istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import type { Traded } from '../../../src/core/event.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { CandleTexts, minuteText } from '../../../src/gateway/endpoints/market/candle-texts.ts';
import { civil, FUTURE, freshMarket, NIFTY, SHARE } from '../../../src/market/synthetic/fixture.ts';
import { intradayCandles } from '../../../src/views/quote.ts';

/** A kept text of the candles of a day is the text that would be written now, whatever happened meanwhile. */

const FIRST = civil(2026, 9, 14);
const TODAY = civil(2026, 9, 18);
const NOON = tickOf(TODAY, 12 * 3_600);
const MIDNIGHT = tickOf((TODAY + 1) as IstDay, 0);
const market = freshMarket('exchange');

function whole(day: number) {
  return { from: istInstant(day as IstDay), to: (istInstant((day + 1) as IstDay) - 1) as EpochMs };
}

/** A service whose clock stands at noon: it has asked for the days of the week. */
class Asked {
  readonly live = LIVE.empty();
  readonly texts: CandleTexts;

  constructor(most?: number) {
    this.texts = new CandleTexts(market, most);
  }

  text(id: InstrumentId, day: number, minutes = 1, range = whole(day), until = NOON): string {
    const { bytes } = this.texts.minutesOf(this.live.state, this.live.views, id, minutes, range, until);
    return bytes.subarray(1).toString();
  }

  /** The same from the candles, with nothing kept. */
  anew(id: InstrumentId, day: number, minutes = 1, { from, to } = whole(day), until = NOON): string {
    return intradayCandles(this.live.views, market, id, minutes, from, to, until).map(minuteText).join(',');
  }

  trade(day: IstDay): void {
    const event: Traded = {
      type: 'Traded',
      trade: 1 as TradeId,
      instrument: SHARE,
      kind: 'equity',
      group: SHARE,
      tick: tickOf(day, 11 * 3_600),
      price: price(900_000),
      quantity: quantity(7),
      aggressor: 'B',
      buy: { order: 1 as OrderNumber, account: 0 as AccountId, product: 'C' },
    };
    this.live.views.ownTrades.apply(event);
  }
}

describe('the kept texts of candles', () => {
  it('are those that would be written now, of any instrument, interval and range', () => {
    const asked = new Asked();
    const random = new Random(18);
    for (let question = 0; question < 400; question += 1) {
      const id = random.pick([SHARE, NIFTY, FUTURE]);
      const day = random.between(FIRST, TODAY);
      const minutes = random.pick([1, 5, 60]);
      const { from, to } = whole(day);
      const part = { from: (from + random.below(900) * MINUTE_MS) as EpochMs, to };
      const range = random.chance(70) ? whole(day) : part;
      const until = random.pick([NOON, MIDNIGHT]);
      assert.equal(asked.text(id, day, minutes, range, until), asked.anew(id, day, minutes, range, until));
    }
    const { kept, written } = asked.texts.counts;
    assert.ok(kept > 100 && written > 100, `${kept} kept, ${written} written`);
  });

  it('show a trade of a user that comes late to a day', () => {
    const asked = new Asked();
    const before = asked.text(SHARE, FIRST);
    asked.trade(FIRST);
    assert.notEqual(asked.text(SHARE, FIRST), before);
    assert.equal(asked.text(SHARE, FIRST), asked.anew(SHARE, FIRST));
    assert.equal(asked.text(SHARE, FIRST + 1), asked.anew(SHARE, FIRST + 1));
  });

  it('are forgotten when the corporate actions are others, and not kept while scenarios rule the market', () => {
    const asked = new Asked();
    for (let i = 0; i < 2; i += 1) asked.text(SHARE, FIRST);
    assert.deepEqual(asked.texts.counts, { kept: 1, written: 1 });
    const { state } = asked.live;
    const others = { ...state, corporateActions: structuredClone(state.corporateActions) } as typeof state;
    asked.texts.minutesOf(others, asked.live.views, SHARE, 1, whole(FIRST), NOON);
    assert.deepEqual(asked.texts.counts, { kept: 1, written: 2 });
    const ruled = { ...others, scenarioRules: new Map([[1, {}]]) } as unknown as typeof state;
    asked.texts.minutesOf(ruled, asked.live.views, SHARE, 1, whole(FIRST), NOON);
    assert.deepEqual(asked.texts.counts, { kept: 1, written: 3 });
  });

  it('are not kept of the day that goes on', () => {
    const asked = new Asked();
    const atNoon = asked.text(SHARE, TODAY);
    assert.ok(asked.text(SHARE, TODAY, 1, whole(TODAY), MIDNIGHT).length > atNoon.length);
    assert.equal(asked.texts.counts.kept, 0);
  });

  it('take no more room than they may: the oldest goes first', () => {
    const day = new Asked().text(SHARE, FIRST).length;
    const asked = new Asked(2.5 * day);
    for (const on of [FIRST, FIRST + 1, FIRST + 2, FIRST + 2, FIRST + 1]) asked.text(SHARE, on);
    assert.deepEqual(asked.texts.counts, { kept: 2, written: 3 });
    asked.text(SHARE, FIRST);
    assert.deepEqual(asked.texts.counts, { kept: 2, written: 4 });
  });
});
