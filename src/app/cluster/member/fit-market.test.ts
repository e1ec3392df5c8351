import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type InstrumentId, instrumentId } from '../../../base/ids.ts';
import { DAY_MS } from '../../../base/time.ts';
import { dataFolder } from '../../../folder/data-folder.ts';
import type { Identity } from '../../../folder/identity.ts';
import type { PlayedTapes } from '../../../folder/played-tapes.ts';
import { notePlayed } from '../../tapes/followed-tapes.ts';
import { FitMarket } from './fit-market.ts';

const PRESENT = 20_600;
const TAPE = { exchange: 'NSE', symbol: 'RELIANCE-EQ', from: 20_580, to: 20_599, digest: 'a1' };
const TAPED = { market: 'mixed', tapes: [TAPE] } as unknown as PlayedTapes;
const DRAWN: PlayedTapes = { market: 'synthetic', tapes: [] };
const CONTRACT = instrumentId('NFO', 900_003);

/** A member whose market follows these tapes and knows no instrument, over a folder of its own. */
function withMember(
  followed: PlayedTapes,
  body: (scene: {
    readonly folder: ReturnType<typeof dataFolder>;
    readonly market: FitMarket;
    /** Moves the history on by a record, and the clock by a second. */
    moveOn(change: { readonly lastOrder?: number; readonly traded?: readonly InstrumentId[] }): void;
    /** From now on a look takes that long, in milliseconds. */
    slowDown(ms: number): void;
  }) => void,
): void {
  const folder = dataFolder(mkdtempSync(join(tmpdir(), 'sauda-fit-market-')));
  const live = {
    seq: 1,
    state: { lastOrder: 0, at: PRESENT * DAY_MS, accounts: [], banned: [], shareBands: [], corporateActions: [] },
    views: { history: { instruments: (): readonly InstrumentId[] => [] } },
  };
  let [now, lookMs] = [0, 0];
  const world = { followed, instruments: { get: () => undefined } };
  const parts = { folder, identity: { market: 'synthetic' } as Identity, world, live, elapsed: () => now };
  const market = new FitMarket(parts as unknown as ConstructorParameters<typeof FitMarket>[0]);
  try {
    body({
      folder,
      market,
      moveOn: ({ lastOrder = live.state.lastOrder, traded = [] }) => {
        live.seq += 1;
        now += 1_000;
        live.state.lastOrder = lastOrder;
        live.views.history.instruments = () => {
          now += lookMs;
          return traded;
        };
      },
      slowDown: (ms) => {
        lookMs = ms;
      },
    });
  } finally {
    rmSync(folder.folder, { recursive: true });
  }
}

test('a member cannot lead once the cluster has traded, when it follows tapes that the leader is not known to', () => {
  withMember(TAPED, ({ folder, market, moveOn }) => {
    assert.equal(market.fault(), undefined, 'nothing has traded');
    moveOn({ lastOrder: 1 });
    assert.match(String(market.fault()), /NSE RELIANCE-EQ has traded here without a tape.*restart this member/);
    notePlayed(folder, TAPED);
    moveOn({});
    assert.equal(market.fault(), undefined, 'the leader follows the same ones');
  });
});

test('a member that was not started since the leader follows tapes cannot lead once it has traded', () => {
  withMember(DRAWN, ({ folder, market, moveOn }) => {
    notePlayed(folder, TAPED);
    moveOn({ lastOrder: 1 });
    assert.match(String(market.fault()), /the tapes of NSE RELIANCE-EQ .* are not there any more; restart/);
  });
});

test('a member cannot lead while the history names an instrument that its market does not have', () => {
  withMember(DRAWN, ({ market, moveOn }) => {
    assert.equal(market.fault(), undefined);
    moveOn({ traded: [CONTRACT] });
    assert.match(String(market.fault()), /no instrument has the token NFO 900003 here: restart this member/);
  });
});

test('a look that takes long is followed by a rest of forty times that time', () => {
  withMember(DRAWN, ({ market, moveOn, slowDown }) => {
    moveOn({});
    slowDown(200);
    assert.equal(market.fault(), undefined);
    for (let second = 1; second <= 7; second += 1) {
      moveOn({ traded: [CONTRACT] });
      assert.equal(market.fault(), undefined, `second ${second}`);
    }
    moveOn({ traded: [CONTRACT] });
    assert.match(String(market.fault()), /no instrument has the token/);
  });
});
