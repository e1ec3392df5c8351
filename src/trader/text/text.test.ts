import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { grouped, signed, toneOf } from './amounts.ts';
import { paintFor } from './paint.ts';
import { numberMeant } from './short-number.ts';
import { pairs, table } from './table.ts';

test('amounts have commas by lakh and crore', () => {
  const cases = [
    ['0', '0'],
    ['999', '999'],
    ['1000.50', '1,000.50'],
    ['100000.00', '1,00,000.00'],
    ['12345678.9', '1,23,45,678.9'],
    ['-1234567', '-12,34,567'],
    ['NSE', 'NSE'],
    ['', ''],
  ] as const;
  for (const [plain, written] of cases) assert.equal(grouped(plain), written);
});

test('commas change no digit, and stand behind pairs of digits in front of the last three', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (amount) => {
      const written = grouped(String(amount));
      assert.equal(written.replaceAll(',', ''), String(amount));
      assert.match(written, /^(\d{1,3}|\d{1,2}(,\d{2})*,\d{3})$/);
    }),
  );
});

test('a gain has a plus, and the tone of a change is its sign', () => {
  assert.deepEqual(['5.00', '-5.00', '0.00'].map(signed), ['+5.00', '-5.00', '0.00']);
  assert.deepEqual(['0.05', '-0.05', '0.00', '-0.00', '-'].map(toneOf), [
    'up',
    'down',
    undefined,
    undefined,
    undefined,
  ]);
});

const COLUMNS = [
  { title: 'instrument' },
  { title: 'price', isNumber: true, rank: 1 },
  { title: 'units', isNumber: true },
  { title: 'reason', isCut: true, rank: 2 },
] as const;
const ROWS = [
  ['NSE:ITC-EQ', '1,00,425.50', '10', ''],
  ['NSE:TCS-EQ', '9.05', '2,000', 'the limit price is worse than the trigger price'],
];

test('columns line up, with numbers on the right and no blanks at the end of a line', () => {
  assert.deepEqual(table(COLUMNS, ROWS).split('\n'), [
    'instrument        price  units  reason',
    'NSE:ITC-EQ  1,00,425.50     10',
    'NSE:TCS-EQ         9.05  2,000  the limit price is worse than the trigger price',
  ]);
});

test('a narrow terminal cuts the last column, then leaves out the columns of the highest ranks', () => {
  assert.deepEqual(
    table(COLUMNS, ROWS, { columns: 50 }).split('\n')[2],
    'NSE:TCS-EQ         9.05  2,000  the limit price i…',
  );
  assert.equal(table(COLUMNS, ROWS, { columns: 40 }).split('\n')[2], 'NSE:TCS-EQ         9.05  2,000');
  assert.equal(table(COLUMNS, ROWS, { columns: 20 }).split('\n')[2], 'NSE:TCS-EQ  2,000');
  assert.equal(table(COLUMNS, ROWS, { columns: 5 }).split('\n')[2], 'NSE:TCS-EQ  2,000', 'some columns always stay');
});

test('a narrow terminal leaves out columns without a text before all others', () => {
  const columns = [
    { title: 'order' },
    { title: 'average', isNumber: true, rank: 1 },
    { title: 'trigger', isNumber: true, rank: 2 },
    { title: 'always' },
  ] as const;
  const rows = [
    ['7', '', '280.00', ''],
    ['8', '', '', ''],
  ];
  const heads = [40, 23, 15, 5].map((width) => table(columns, rows, { columns: width }).split('\n')[0]);
  assert.deepEqual(heads, [
    'order  average  trigger  always',
    'order  trigger  always',
    'order  always',
    'order  always',
  ]);
});

test('text that people typed cannot steer the terminal', () => {
  const [, line = ''] = table([{ title: 'remarks' }], [['\x1b[2Jgone\n']]).split('\n');
  assert.equal(line, '\\u001b[2Jgone\\u000a');
});

test('colours are on a terminal alone, and not where NO_COLOR or a dumb terminal forbids them', () => {
  assert.equal(paintFor(true, {})('5', 'up'), '\x1b[32m5\x1b[0m');
  assert.equal(paintFor(true, { NO_COLOR: '' })('5', 'down'), '\x1b[31m5\x1b[0m', 'a blank one counts as not set');
  for (const paint of [paintFor(false, {}), paintFor(true, { NO_COLOR: '1' }), paintFor(true, { TERM: 'dumb' })]) {
    assert.equal(paint('5', 'up'), '5');
  }
});

test('colour covers the figure and not its padding', () => {
  const columns = [{ title: 'instrument' }, { title: 'price', isNumber: true }] as const;
  const rows = [['A', { text: '5', tone: 'up' as const }]];
  const [, line] = table(columns, rows, { paint: paintFor(true, {}) }).split('\n');
  assert.equal(line, 'A               \x1b[32m5\x1b[0m');
});

test('figures under each other have their points under each other', () => {
  const text = pairs(
    [
      ['open', '1,269.85'],
      ['lot', '75'],
      ['time', '10:15:00'],
      ['charges', '0.26', 'GST 0.01'],
    ],
    (same) => same,
  );
  assert.deepEqual(text.split('\n'), [
    '  open     1,269.85',
    '  lot         75',
    '  time     10:15:00',
    '  charges      0.26  GST 0.01',
  ]);
});

test('a number is meant by its last digits, if one alone ends with them', () => {
  const numbers = ['26112300000007', '26112300000017', '26112400000007'];
  assert.equal(numberMeant(numbers, '17', 8), '26112300000017');
  assert.equal(numberMeant(numbers, '26112400000007', 8), '26112400000007');
  assert.equal(numberMeant(numbers, '7', 8), 'several');
  assert.equal(numberMeant(numbers, '8', 8), 'none');
  assert.equal(numberMeant(numbers, 'seven', 8), undefined);
  assert.equal(numberMeant(['26112390000001'], '1', 7), '26112390000001');
});
