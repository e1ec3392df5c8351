import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertNumber, InstrumentId } from '../../../src/base/ids.ts';
import { price } from '../../../src/base/money.ts';
import { ENDED_ALERTS_KEPT } from '../../../src/core/lists/alert-table.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess, INTEGER, RUPEES, T1, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const PATH = '/getAlerts';
const MESSAGE = 'Alerts';
const ABOVE = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', condition: 'ABOVE', price: '7.2' };

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => {
    await world.call('/placeAlert', ALICE, ABOVE);
    return {};
  },
  data: [
    {
      alertId: INTEGER,
      exchange: /^NSE$/,
      tradingSymbol: TEXT,
      token: INTEGER,
      condition: /^ABOVE$/,
      price: RUPEES,
      remarks: /^$/,
      status: /^ACTIVE$/,
      createdAt: T1,
      firedAt: /^$/,
      firedPrice: /^$/,
    },
  ],
});

test('getAlerts shows what was placed, and how each alert ended', async () => {
  const world = await openWorld();
  const remarks = '\u092d\u093e\u0930\u0924 "x"\n';
  const ids: string[] = [];
  for (const more of [{ remarks }, { condition: 'BELOW' }, {}]) {
    const seen = await world.call('/placeAlert', ALICE, { ...ABOVE, ...more });
    ids.push(JSON.parse(seen.text).data.alertId);
  }
  await world.call('/cancelAlert', ALICE, { alertId: ids[2] });
  const rows = assertSuccess(await world.call(PATH, ALICE), MESSAGE) as Record<string, string>[];
  const shown = rows.map(({ createdAt: _, firedAt, ...row }) => ({ ...row, hasFired: firedAt !== '' }));
  const facts = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', token: '14366', price: '7.20' };
  assert.deepEqual(shown, [
    { alertId: ids[0], ...facts, condition: 'ABOVE', remarks, status: 'ACTIVE', firedPrice: '', hasFired: false },
    { alertId: ids[1], ...facts, condition: 'BELOW', remarks: '', status: 'FIRED', firedPrice: '7.10', hasFired: true },
    {
      alertId: ids[2],
      ...facts,
      condition: 'ABOVE',
      remarks: '',
      status: 'CANCELLED',
      firedPrice: '',
      hasFired: false,
    },
  ]);
  await world.close();
});

test('an alert that ended on a contract that nobody knows any more is left out', async () => {
  const world = await openWorld();
  const ended = { how: 'Expired', at: world.now } as const;
  const alert = {
    number: 7 as AlertNumber,
    instrument: 8_000_000 as InstrumentId,
    way: 'Rising',
    remarks: '',
  } as const;
  world.engine.state.alerts.file({
    ...alert,
    account: ALICE.account,
    price: price(5),
    placedAt: world.now,
    end: ended,
  });
  await world.call('/placeAlert', ALICE, ABOVE);
  const rows = assertSuccess(await world.call(PATH, ALICE), MESSAGE) as Record<string, string>[];
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['ACTIVE'],
  );
  await world.close();
});

test('the last 100 alerts that ended are kept, and all that are active', async () => {
  const world = await openWorld();
  await world.call('/placeAlert', ALICE, ABOVE);
  const fires = { ...ABOVE, price: '7' };
  for (let count = 0; count < ENDED_ALERTS_KEPT + 5; count += 1) {
    await world.call('/placeAlert', ALICE, { ...fires, remarks: String(count) });
  }
  const rows = assertSuccess(await world.call(PATH, ALICE), MESSAGE) as Record<string, string>[];
  assert.equal(rows.length, ENDED_ALERTS_KEPT + 1);
  assert.deepEqual([rows[0]?.status, rows[1]?.remarks, rows.at(-1)?.remarks], ['ACTIVE', '5', '104']);
  await world.close();
});
