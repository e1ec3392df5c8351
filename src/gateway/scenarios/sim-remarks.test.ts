import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantity } from '../../base/money.ts';
import { scenarioOf } from './sim-remarks.ts';

function read(remarks: string, units = 100, lot = 1) {
  return scenarioOf({ remarks, terms: { quantity: quantity(units) }, lot: quantity(lot) });
}

function faultOf(remarks: string, units?: number, lot?: number): string {
  const found = read(remarks, units, lot);
  assert.ok(found !== undefined && 'status' in found, remarks);
  assert.deepEqual([found.status, found.name, found.field], [400, 'BAD_REQUEST', 'remarks']);
  return found.message.replace('remarks begin with sim: and are not understood: ', '');
}

test('remarks without the prefix ask for nothing', () => {
  for (const remarks of ['', 'sim', 'Sim:hold', ' sim:hold', 'a sim:hold', 'simulated']) {
    assert.equal(read(remarks), undefined, remarks);
  }
});

test('each word has its meaning, and words in any order make the same bytes', () => {
  assert.deepEqual(read('sim:reject=16283:Order price = odd'), { reject: '16283:Order price = odd' });
  assert.deepEqual(read('sim:fill=10'), { fill: 10 });
  assert.deepEqual(read('sim: fill = 40% ; fills=2'), { fillPercent: 40, fills: 2 });
  assert.deepEqual(read('sim:hold;late-fill=0;cancel-after=3600000'), {
    cancelAfter: 3_600_000,
    hold: true,
    lateFill: 0,
  });
  assert.deepEqual(read('sim:lost-answer;duplicate-frame;ack-delay=1'), {
    ackDelay: 1,
    lostAnswer: true,
    duplicateFrame: true,
  });
  assert.equal(JSON.stringify(read('sim:hold;fill=5')), JSON.stringify(read('sim:fill=5;hold')));
});

test('words that are unknown, there twice or have a wrong value are refused', () => {
  assert.match(faultOf('sim:'), /^"" is not an outcome; there are reject, fill, fills, cancel-after, hold/);
  assert.match(faultOf('sim:hold;'), /^"" is not an outcome/);
  assert.match(faultOf('sim:__proto__=1'), /^"__proto__" is not an outcome/);
  assert.equal(faultOf('sim:hold;hold'), 'hold is there twice');
  assert.equal(faultOf('sim:hold=1'), 'hold takes no value');
  for (const value of ['', '0', '-1', '1.5', '1e3', '0x1', ' ', '3600001', '99999999999999999', '१']) {
    assert.equal(faultOf(`sim:cancel-after=${value}`), 'cancel-after takes milliseconds from 1 to 3600000', value);
  }
  for (const value of ['0', '0%', '100%', '5%%', 'half', '%']) {
    assert.equal(faultOf(`sim:fill=${value}`), 'fill takes a whole number of units, or 1% to 99%', value);
  }
  assert.equal(faultOf('sim:fills=101'), 'fills takes a number from 1 to 100');
  assert.equal(faultOf('sim:reject='), 'reject takes a text');
});

test('words that contradict each other or do not fit the order are refused', () => {
  for (const other of ['fill=1', 'fills=1', 'hold', 'cancel-after=1', 'late-fill=1']) {
    assert.equal(faultOf(`sim:reject=No;${other}`), 'an order that is rejected neither rests nor fills', other);
  }
  for (const other of ['hold', 'cancel-after=1', 'late-fill=0']) {
    assert.match(faultOf(`sim:fills=2;${other}`), /^fills leaves nothing to rest/, other);
    assert.deepEqual(Object.keys(read(`sim:fill=9;fills=2;${other}`) ?? {}).length, 3);
  }
  assert.equal(faultOf('sim:fill=100'), 'fill must be below the quantity 100: fills=1 fills all');
  assert.equal(faultOf('sim:fill=100', 130, 65), 'fill must be whole lots of 65');
  assert.equal(faultOf('sim:fill=50%', 65, 65), 'a part needs an order of more than one lot');
  assert.equal(faultOf('sim:fills=3', 130, 65), 'fills=3 needs as many lots, and there are 2');
});
