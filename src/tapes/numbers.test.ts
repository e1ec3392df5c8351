import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../base/random.ts';
import { NUMBER_FAULTS, paiseOfDouble, paiseOfText, unitsOfText } from './numbers.ts';

const MOST_PAISE = 2 ** 31 - 1;

test('a price comes out of any of its spellings, and out of its double, to the paisa', () => {
  const random = new Random(3);
  for (let round = 0; round < 2_000; round += 1) {
    const paise = random.chance(50) ? random.below(MOST_PAISE) : random.below(200_000);
    const rupees = Math.floor(paise / 100);
    const rest = String(paise % 100).padStart(2, '0');
    const spellings = [
      `${rupees}.${rest}`,
      `000${rupees}.${rest}`,
      ` ${rupees}.${rest}0000 `,
      `${rupees}.${rest}0000001`,
    ];
    if (paise % 100 === 0) spellings.push(`${rupees}`, `${rupees}.`, `${rupees}.0`);
    if (paise > 0 && rest !== '00') spellings.push(`${rupees}.${String((paise - 1) % 100).padStart(2, '0')}99999`);
    for (const text of spellings) assert.equal(paiseOfText(text), paise, text);
    assert.equal(paiseOfDouble(paise / 100), paise);
    assert.equal(paiseOfDouble((paise - 1) / 100 + 0.01), paise, `${paise}`);
  }
});

test('a text or a double that is not a price on the paisa has its words', () => {
  const words: readonly (readonly [string, string])[] = [
    ['', 'is not a number'],
    ['NaN', 'is not a number'],
    ['1,000', 'is not a number'],
    ['.5', 'is not a number'],
    ['1.2.3', 'is not a number'],
    ['-', 'is not a number'],
    ['-0.05', 'is below zero'],
    ['1.005', 'is not on the paisa'],
    ['1533.0999755859375', 'is not on the paisa'],
    ['21474836.48', 'is too large'],
    ['99999999999999999999', 'is too large'],
  ];
  for (const [text, expected] of words) assert.equal(NUMBER_FAULTS[paiseOfText(text)], expected, text);
  assert.equal(paiseOfText('21474836.47'), MOST_PAISE);
  for (const double of [Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(NUMBER_FAULTS[paiseOfDouble(double)], 'is not a number');
  }
  assert.equal(NUMBER_FAULTS[paiseOfDouble(1533.0999755859375)], 'is not on the paisa');
});

test('a count of units is whole, below 2 to the power of 48, and may end with a point and zeros', () => {
  assert.equal(unitsOfText('281474976710655'), 2 ** 48 - 1);
  assert.equal(NUMBER_FAULTS[unitsOfText('281474976710656')], 'is too large');
  assert.equal(unitsOfText('69434.00'), 69_434);
  assert.equal(NUMBER_FAULTS[unitsOfText('69434.5')], 'is not a number');
  assert.equal(NUMBER_FAULTS[unitsOfText('-1')], 'is below zero');
});
