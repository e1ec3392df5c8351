import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { generateSync } from 'otplib';
import { instrumentText, namedFields } from '../../client/src/instrument.ts';
import { fromPaise, toPaise } from '../../client/src/money.ts';
import { orderNumber } from '../../client/src/order-number.ts';
import { isAfter } from '../../client/src/stream/events.ts';
import { instantOf, wireTime } from '../../client/src/times.ts';
import { totpOf } from '../../client/src/totp.ts';

test('rupees become paise and come back as they were', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (paise) => {
      assert.equal(toPaise(fromPaise(paise)), paise === 0 ? 0 : paise);
    }),
  );
  assert.equal(toPaise('100.05'), 10005);
  assert.equal(toPaise('100'), 10000);
  assert.deepEqual([250.35, 100.1, 100, -0.05, 0].map(toPaise), [25_035, 10_010, 10_000, -5, 0]);
  assert.equal(toPaise('0.5'), 50);
  assert.equal(toPaise('-3.00'), -300);
  assert.equal(toPaise('12.3400'), 1234);
  assert.ok(Object.is(toPaise('-0.00'), 0), 'there is one zero');
  assert.equal(fromPaise(-5), '-0.05');
});

test('text that is not a whole number of paise is refused', () => {
  for (const text of ['', ' 1', '1.', '.5', '1e3', '1,000', '1.005', 'NaN', '99999999999999999', '+1', '0x10']) {
    assert.throws(() => toPaise(text), RangeError, text);
  }
  for (const number of [1.005, 0.1 + 0.2, 1e21, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => toPaise(number), RangeError, String(number));
  }
  for (const number of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.throws(() => fromPaise(number), RangeError, String(number));
  }
});

test('every time of the wire is the instant that it means, in IST on any machine', () => {
  const instant = new Date('2026-11-23T10:15:00+05:30');
  for (const text of ['10:15:00 23-11-2026', '23-11-2026 10:15:00', '23-Nov-2026 10:15:00', '2026-11-23T10:15:00']) {
    assert.equal(instantOf(text).getTime(), instant.getTime(), text);
  }
  assert.equal(instantOf(String(instant.getTime() / 1_000)).getTime(), instant.getTime(), 'seconds since 1970');
  assert.equal(instantOf('2026-11-23T10:15:00.123+05:30').getTime(), instant.getTime() + 123, 'of an event');
  assert.equal(wireTime(instant), '10:15:00 23-11-2026');
  assert.equal(wireTime(new Date('2026-12-31T18:30:00Z')), '00:00:00 01-01-2027');
  for (const text of ['', '10:15 23-11-2026', '25:15:00 23-11-2026', '23-Nvo-2026 10:15:00', '10:15:00 23-13-2026']) {
    assert.throws(() => instantOf(text), RangeError, text);
  }
});

test('the number of an order is text of its own type', () => {
  for (const known of ['26112300000001', '2611230000000001']) assert.equal(orderNumber(known), known);
  for (const text of ['', '0', '012', '1x', '12345678901234567']) assert.throws(() => orderNumber(text), RangeError);
});

test('one-time codes are those of an authenticator', async () => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const before = generateSync({ secret });
  const code = await totpOf('jbsw y3dp-ehpk3pxpJBSWY3DPEHPK3PXP==')();
  assert.ok([before, generateSync({ secret })].includes(code), code);
  assert.throws(() => totpOf('not base 32!'), RangeError);
});

test('an instrument is text or a row, and leaves as two fields', () => {
  const row = { exchange: 'NSE', tradingSymbol: 'M&M-EQ', token: '2031' } as const;
  assert.deepEqual(namedFields('NSE:M&M-EQ'), { exchange: 'NSE', tradingSymbol: 'M&M-EQ' });
  assert.deepEqual(namedFields(row), { exchange: 'NSE', tradingSymbol: 'M&M-EQ' });
  assert.equal(instrumentText(row), 'NSE:M&M-EQ');
});

test('places in the journal have an order', () => {
  const ordered = ['9', '10-0', '10-2', '10-10', '10', '11-0', '9007199254740993-0'];
  for (const [index, seq] of ordered.entries()) {
    for (const [otherIndex, other] of ordered.entries()) {
      assert.equal(isAfter(seq, other), index > otherIndex, `${seq} after ${other}`);
    }
  }
});
