import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { FiredAlerts } from './fired.ts';
import { addProfitAlert, fireProfitAlerts, isReached, profitAlerts, removeProfitAlert } from './profit-alerts.ts';

test('an alert is reported once, when it fires after the page was opened', () => {
  const fired = new FiredAlerts<{ alertId: string; status: 'ACTIVE' | 'FIRED' }>();
  const early = { alertId: '1', status: 'FIRED' as const };
  const two = { alertId: '2', status: 'FIRED' as const };
  deepEqual(fired.take([early]), [], 'it fired before the page was opened');
  deepEqual(fired.take([early, { ...two, status: 'ACTIVE' }]), []);
  deepEqual(fired.take([early, two]), [two]);
  deepEqual(fired.take([early, two]), []);
});

test('an alert that fires as it is placed is reported although the page never saw it active', () => {
  const fired = new FiredAlerts<{ alertId: string; status: 'ACTIVE' | 'FIRED' }>();
  fired.take([]);
  const three = { alertId: '3', status: 'FIRED' as const };
  deepEqual(fired.take([three]), [three]);
});

test('an alert on the result of the day is at its amount or beyond it, to the paisa', () => {
  equal(isReached({ condition: 'ABOVE', amount: '5000.00' }, '4999.99'), false);
  equal(isReached({ condition: 'ABOVE', amount: '5000.00' }, '5000.00'), true);
  equal(isReached({ condition: 'BELOW', amount: '-2500.50' }, '-2500.49'), false);
  equal(isReached({ condition: 'BELOW', amount: '-2500.50' }, '-10000.00'), true);
});

test('an alert on the result fires once and keeps the result at which it did', () => {
  equal(addProfitAlert('ABOVE', ' 5,000 '), '');
  deepEqual(fireProfitAlerts('4000.00'), []);
  equal(fireProfitAlerts('5100.25').length, 1);
  deepEqual(fireProfitAlerts('5200.00'), []);
  deepEqual(
    profitAlerts.value.map(({ amount, firedAt }) => ({ amount, firedAt })),
    [{ amount: '5000.00', firedAt: '5100.25' }],
  );
  removeProfitAlert(profitAlerts.value[0]?.id ?? 0);
  equal(profitAlerts.value.length, 0);
});

test('an amount that is not one is refused in words, and a list is bounded', () => {
  for (const text of ['', 'much', '1.005', '1e3']) match(addProfitAlert('ABOVE', text), /The amount is rupees/);
  for (let count = 0; count < 20; count++) equal(addProfitAlert('BELOW', '-1'), '');
  match(addProfitAlert('BELOW', '-1'), /At most 20/);
});
