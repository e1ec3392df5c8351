import { instrumentId, type Tick } from '../../src/base/ids.ts';
import { type Price, price, type Quantity, quantity, ZERO_QUANTITY } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import type { Equity } from '../../src/core/instrument.ts';
import type { Depth, DepthLevel, PriceBand, Print, RiskFigures } from '../../src/core/market.ts';
import type { Side } from '../../src/core/order.ts';
import { flatRisk, TestMarket } from '../kit/market.ts';

/** The share that the reference book and the exchange trade. */
export const SHARE: Equity = {
  id: instrumentId('NSE', 4_711),
  exchange: 'NSE',
  token: 4_711,
  tradingSymbol: 'WANDER-EQ',
  symbol: 'WANDER',
  companyName: 'Wander',
  lot: quantity(1),
  tick: price(5),
  freeze: ZERO_QUANTITY,
  kind: 'equity',
  isin: 'INE000W01011',
  series: 'EQ',
  tradeForTrade: false,
  hasDerivatives: true,
};

export const FIRST_TICK = 1_800_000_000 as Tick;
export const STEP = 5;
const START = 100_00;
const SHOWN = 3;
const DEEP = 10;

interface Scene {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
  readonly print: Print | undefined;
  readonly lastPrint: Print;
  /** The market's units at the prices that are not displayed. */
  readonly hidden: ReadonlyMap<string, number>;
}

/**
 * A market that was scripted tick by tick from a seed: a random walk with jumps over resting orders, levels that are
 * renewed one by one, sides that run dry, prints at the touch, through it and inside the spread.
 */
export class WanderingMarket extends TestMarket {
  private readonly scenes: readonly Scene[];

  constructor(seed: number, ticks: number) {
    super();
    this.scenes = scenesOf(new Random(seed), ticks);
  }

  depth(_id: Equity['id'], tick: Tick): Depth {
    return this.scene(tick);
  }

  override quantityAt(_id: Equity['id'], tick: Tick, side: Side, at: Price): Quantity {
    const { bids, asks, hidden } = this.scene(tick);
    const shown = (side === 'B' ? bids : asks).find((level) => level.price === at);
    return quantity(shown?.quantity ?? hidden.get(`${side}${at}`) ?? 0);
  }

  print(_id: Equity['id'], tick: Tick): Print | undefined {
    return this.scene(tick).print;
  }

  lastPrint(_id: Equity['id'], tick: Tick): Print {
    return this.scene(tick).lastPrint;
  }

  previousClose(): Price {
    return price(START);
  }

  band(): PriceBand {
    return { lower: price(STEP), upper: price(10 * START) };
  }

  override risk(): RiskFigures {
    return flatRisk(START, 0.2);
  }

  private scene(tick: Tick): Scene {
    const scene = this.scenes[tick - FIRST_TICK];
    if (scene === undefined) throw new Error(`tick ${tick} is not in the script`);
    return scene;
  }
}

/** The market's orders at one price of one side. */
interface Standing {
  quantity: number;
  generation: number;
}

function scenesOf(random: Random, ticks: number): Scene[] {
  const standing = new Map<string, Standing>();
  const scenes: Scene[] = [];
  let middle = START / STEP;
  let lastPrint: Print = {
    tick: (FIRST_TICK - 100) as Tick,
    price: price(START),
    quantity: ZERO_QUANTITY,
    aggressor: 'B',
  };
  for (let index = 0; index < ticks; index += 1) {
    middle = Math.max(200, middle + random.between(-1, 1) + (random.chance(6) ? random.between(-6, 6) : 0));
    const bid = (middle - random.between(0, 1)) * STEP;
    const ask = (middle + random.between(1, 3)) * STEP;
    const bids = sideOf(random, standing, 'B', bid);
    const asks = sideOf(random, standing, 'S', ask);
    const print = random.chance(45) ? printOf(random, (FIRST_TICK + index) as Tick, bid, ask) : undefined;
    lastPrint = print ?? lastPrint;
    scenes.push({
      bids: bids.shown,
      asks: asks.shown,
      print,
      lastPrint,
      hidden: new Map([...bids.hidden, ...asks.hidden]),
    });
  }
  return scenes;
}

function sideOf(random: Random, standing: Map<string, Standing>, side: Side, touch: number) {
  const shown: DepthLevel[] = [];
  const hidden = new Map<string, number>();
  const dry = random.chance(4);
  for (let index = 0; index < DEEP; index += 1) {
    const at = side === 'B' ? touch - index * STEP : touch + index * STEP;
    const key = `${side}${at}`;
    const before = standing.get(key);
    const level = before === undefined || random.chance(25) ? renewed(random, before) : before;
    standing.set(key, level);
    if (dry) continue;
    const gap = index > 0 && random.chance(10);
    if (shown.length < SHOWN && !gap)
      shown.push({ price: price(at), quantity: quantity(level.quantity), orders: 1, generation: level.generation });
    else hidden.set(key, level.quantity);
  }
  return { shown, hidden };
}

function renewed(random: Random, before: Standing | undefined): Standing {
  return { quantity: random.between(1, 30), generation: (before?.generation ?? 0) + 1 };
}

/** Most prints are at the touch; some are through it, some inside the spread. */
function printOf(random: Random, tick: Tick, bid: number, ask: number): Print {
  const aggressor = random.pick(['B', 'S'] as const);
  const touch = aggressor === 'B' ? ask : bid;
  const away = random.chance(20) ? random.between(-2, 2) * STEP : 0;
  return { tick, price: price(Math.max(STEP, touch + away)), quantity: quantity(random.between(1, 60)), aggressor };
}
