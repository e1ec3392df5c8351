import type { AlertNumber, InstrumentId } from '../src/base/ids.ts';
import { price } from '../src/base/money.ts';
import type { Account } from '../src/core/account.ts';
import type { Command } from '../src/core/command.ts';
import { watchlistsOf } from '../src/core/lists/watchlists.ts';
import { INDEX } from './listed.ts';
import { lastPrice, type Scene } from './wishes.ts';

/** A client's next action on its watchlists and alerts. Alerts are near the market, so that many fire. */
export function listCommand(scene: Scene, account: Account): Command {
  const draw = scene.random.below(100);
  if (draw < 55) return placement(scene, account);
  if (draw < 70) return cancellation(scene, account);
  return draw < 90 ? saving(scene, account) : deletion(scene, account);
}

function placement(scene: Scene, { id: account }: Account): Command {
  const { random } = scene;
  const { id: instrument, tick } = random.chance(20) ? INDEX : random.pick(scene.traded);
  const away = random.between(-12, 12) * tick + random.pick([0, 0, 1, -2]);
  const at = price(Math.max(1, lastPrice(scene, instrument) + away));
  const remarks = random.pick(['', 'सौदा "x"\n']);
  return { type: 'PlaceAlert', account, instrument, way: random.pick(['Rising', 'Falling']), price: at, remarks };
}

/** Most often of an alert of the account; else of one that ended, of somebody else's, or of none. */
function cancellation({ random, state }: Scene, { id: account }: Account): Command {
  const alerts = random.chance(80) ? state.alerts.of(account) : [...state.alerts.values()];
  const alert = alerts.length > 0 ? random.pick(alerts).number : (1 as AlertNumber);
  return { type: 'CancelAlert', account, alert };
}

function saving({ random, traded }: Scene, { id: account }: Account): Command {
  const instruments = new Set<InstrumentId>();
  for (let count = random.between(0, 6); count > 0; count -= 1) instruments.add(random.pick(traded).id);
  return { type: 'SaveWatchlist', account, name: `list ${random.between(1, 60)}`, instruments: [...instruments] };
}

function deletion({ random, state }: Scene, { id: account }: Account): Command {
  const lists = watchlistsOf(state, account);
  const name = lists.length > 0 && random.chance(90) ? random.pick(lists).name : 'no such list';
  return { type: 'DeleteWatchlist', account, name };
}
