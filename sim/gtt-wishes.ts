import type { GttNumber } from '../src/base/ids.ts';
import { type Price, price, quantity } from '../src/base/money.ts';
import type { Account } from '../src/core/account.ts';
import type { Gtt } from '../src/core/broker/gtt/gtt.ts';
import type { AskedLeg, PlaceGtt } from '../src/core/broker/gtt/gtt-commands.ts';
import type { Command } from '../src/core/command.ts';
import { type Instrument, isDerivative } from '../src/core/instrument.ts';
import { lastPrice, type Scene, type Wish } from './wishes.ts';

/** A price on the tick some thousandths above the last one, or below it. */
function away(scene: Scene, instrument: Instrument, thousandths: number): Price {
  const { tick } = instrument;
  const at = lastPrice(scene, instrument.id) * (1 + thousandths / 1_000);
  return price(Math.max(1, Math.round(at / tick)) * tick);
}

/** An order at a trigger: mostly near enough to trade, now and then far off or of a wrong quantity. */
function legAt(scene: Scene, instrument: Instrument, trigger: Price): AskedLeg {
  const { random } = scene;
  const { lot, tick } = instrument;
  const side = random.pick(['B', 'S'] as const);
  const limit = price(Math.max(tick, trigger + random.between(-6, 6) * tick));
  const units = quantity(random.chance(3) ? lot + 1 : lot * random.between(1, isDerivative(instrument) ? 3 : 40));
  const asMarket = random.chance(30);
  return {
    side,
    product: isDerivative(instrument) ? 'M' : random.pick(['C', 'I', 'I']),
    terms: {
      priceType: asMarket ? 'MKT' : 'LMT',
      retention: random.chance(10) ? 'IOC' : 'DAY',
      quantity: units,
      price: price(asMarket ? 0 : limit),
      trigger: price(0),
    },
    remarks: random.pick(['', 'gtt']),
    trigger,
    ...(random.chance(8) && { scenario: { fillPercent: 50, cancelAfter: 30_000 } }),
  };
}

/** One leg a little away from the last price, or one on each side; now and then too close to it. */
function legsOf(scene: Scene, instrument: Instrument): PlaceGtt['legs'] {
  const { random } = scene;
  const above = away(scene, instrument, random.pick([1, 3, 4, 5, 8, 20, 60, 90]));
  const below = away(scene, instrument, -random.pick([1, 3, 4, 5, 8, 20, 60, 90]));
  if (random.chance(45)) return [legAt(scene, instrument, below), legAt(scene, instrument, above)];
  return [legAt(scene, instrument, random.pick([above, below]))];
}

/** Waits for a price over days. */
export const waitLong: Wish = (scene, account) => {
  const instrument = scene.random.pick(scene.traded);
  const legs = legsOf(scene, instrument);
  return [{ type: 'PlaceGtt', account: account.id, instrument: instrument.id, legs, remarks: '' }];
};

/** A GTT of the account, most often one that waits. */
function someGtt({ random, state }: Scene, account: Account): Gtt | undefined {
  const own = state.gtts.of(account.id);
  const waiting = own.filter(({ status }) => status === 'Active');
  const some = waiting.length > 0 && random.chance(90) ? waiting : own;
  return some.length > 0 ? random.pick(some) : undefined;
}

export const changeGtt: Wish = (scene, account) => {
  const gtt = someGtt(scene, account);
  const instrument = gtt && scene.instrumentOf(gtt.instrument);
  if (gtt === undefined || instrument === undefined) return waitLong(scene, account);
  const [first, second] = legsOf(scene, instrument);
  const kept = scene.random.chance(30);
  const { trigger: _, ...rest } = first;
  const command = { type: 'ModifyGtt', account: account.id, gtt: gtt.number, instrument: instrument.id } as const;
  const one = kept ? rest : first;
  return [{ ...command, legs: second === undefined ? [one] : [one, second], remarks: 'changed' }];
};

/** Cancelled, and perhaps changed in the same instant. */
export const endGtt: Wish = (scene, account) => {
  const gtt = someGtt(scene, account)?.number ?? (1 as GttNumber);
  const cancel: Command = { type: 'CancelGtt', account: account.id, gtt };
  return scene.random.chance(20) ? [...changeGtt(scene, account), cancel] : [cancel];
};
