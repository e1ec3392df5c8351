import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { must } from '../../base/assert.ts';
import { price } from '../../base/money.ts';
import { parseIsoDay } from '../../base/time.ts';
import { type SpanContract, spanKey } from '../../core/margin/rates/span-file.ts';
import { type SpanContent, SpanReader } from './span-reader.ts';

/** Hand-made in the form of the published files: two underlyings, M&M and NIFTY. */
const TEXT = readFileSync(join(import.meta.dirname, '../../../test/kit/span/hand-made.spn'), 'latin1');
const DECEMBER = must(parseIsoDay('2026-12-29'), 'a date');
const JANUARY = must(parseIsoDay('2027-01-26'), 'a date');

function read(text: string): SpanContent | string {
  const reader = new SpanReader();
  reader.write(text);
  const done = reader.finish();
  return done.ok ? done.value : done.error;
}

function contentOf(text: string): SpanContent {
  const content = read(text);
  assert.ok(typeof content !== 'string', String(content));
  return content;
}

function contractOf(content: SpanContent, symbol: string, key: string): SpanContract {
  return must(content.underlyings.get(symbol)?.contracts.get(key), `${symbol} ${key}`);
}

/** The text with one place changed; the place must be there. */
function changed(from: string, to: string, text = TEXT): string {
  assert.ok(text.includes(from), from);
  return text.replace(from, to);
}

test('a file is read whole: its day, its segment, its underlyings and their contracts', () => {
  const content = contentOf(TEXT);
  assert.equal(content.exchange, 'NFO');
  assert.equal(content.day, parseIsoDay('2026-11-30'));
  const figures = [...content.underlyings.values()].map((one) => ({ ...one, contracts: one.contracts.size }));
  assert.deepEqual(figures, [
    { symbol: 'NIFTY', spot: 24_000_00, calendarRate: 425_0000, shortOptionMinimum: 0, contracts: 6 },
    { symbol: 'M&M', spot: 3_600_00, calendarRate: 66_5000, shortOptionMinimum: 0, contracts: 3 },
  ]);
});

test('arrays are whole hundredths of a paisa, deltas hundred-thousandths and prices paise', () => {
  const content = contentOf(TEXT);
  const far = contractOf(content, 'NIFTY', spanKey(JANUARY));
  assert.equal(far.price, 24_420_00);
  assert.equal(far.delta, 100_000);
  const [move, steps] = [2_232_0000, [0, 0, -1, -1, 1, 1, -2, -2, 2, 2, -3, -3, 3, 3]];
  assert.deepEqual([...far.losses], [...steps.map((step) => (step * move) / 3 + 0), -1_562_4000, 1_562_4000]);
  const call = contractOf(content, 'NIFTY', spanKey(DECEMBER, { strike: price(24_000_00), optionType: 'CE' }));
  assert.equal(call.price, 428_85);
  assert.deepEqual([call.losses[10], call.losses[12], call.losses[15]], [-1_947_2300, 417_4200, 150_1000]);
  const put = contractOf(content, 'NIFTY', spanKey(DECEMBER, { strike: price(24_000_00), optionType: 'PE' }));
  assert.ok(put.delta < 0 && put.delta > -100_000 && Number.isInteger(put.delta));
  assert.ok(contractOf(content, 'M&M', spanKey(DECEMBER, { strike: price(3_602_50), optionType: 'PE' })));
});

test('however the file is cut into pieces, it says the same', () => {
  const whole = contentOf(TEXT);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: TEXT.length - 1 }), { maxLength: 8 }), (cuts) => {
      const reader = new SpanReader();
      const places = [0, ...cuts.sort((a, b) => a - b), TEXT.length];
      for (const [index, from] of places.entries()) reader.write(TEXT.slice(from, places[index + 1] ?? TEXT.length));
      const done = reader.finish();
      assert.ok(done.ok);
      assert.deepEqual(done.value, whole);
    }),
    { numRuns: 30 },
  );
});

test('a file of BSE is one of its segment, its indices by their symbols', () => {
  const bse = TEXT.replace('<exch>NSE</exch>\r\n    <name>', '<exch>BSE</exch>\r\n    <name>').replaceAll(
    '>NIFTY<',
    '>BSX<',
  );
  const content = contentOf(bse);
  assert.equal(content.exchange, 'BFO');
  assert.equal(content.underlyings.get('SENSEX')?.calendarRate, 425_0000);
  assert.equal(content.underlyings.get('SENSEX')?.contracts.size, 6);
});

test('a composite delta keeps the five places of the published form', () => {
  const key = spanKey(DECEMBER, { strike: price(24_000_00), optionType: 'CE' });
  for (const [text, delta] of [
    ['0.84537', 84_537],
    ['0.5', 50_000],
    ['0.000014', 1],
    ['-0.30005', -30_005],
  ] as const) {
    const stated = TEXT.replace(/( {7}<d>)[0-9.]+(<\/d>)/, `$1${text}$2`);
    assert.equal(contractOf(contentOf(stated), 'NIFTY', key).delta, delta, text);
  }
});

/**
 * A BSE file as published: an index by one code for futures and by another for options, each with its price and its
 * rates.
 */
function ofTwoCodes(optionPrice: string, optionRate = '400.000000'): string {
  const bse = changed('<exch>NSE</exch>\r\n    <name>', '<exch>BSE</exch>\r\n    <name>').replaceAll(
    '>NIFTY<',
    '>BSX<',
  );
  const physical = must(/ {4}<phyPf>[\s\S]*?<\/phyPf>\r\n/.exec(bse)?.[0], 'a price');
  const second = physical.replace('>BSX<', '>BSXOPT<').replace('<p>24000.00</p>', `<p>${optionPrice}</p>`);
  const rates = must(/ {3}<ccDef>[\s\S]*?<\/ccDef>\r\n/.exec(bse)?.[0], 'rates');
  const secondRates = rates.replaceAll('>BSX<', '>BSXOPT<').replace('425.000000', optionRate);
  return bse
    .replace(physical, physical + second)
    .replace(rates, rates + secondRates)
    .replace(/(<oopPf>[\s\S]*?<pfCode>)BSX</, '$1BSXOPT<');
}

test('a BSE index by two codes, each with its price, is one underlying', () => {
  const { underlyings } = contentOf(ofTwoCodes('24000.00'));
  const sensex = must(underlyings.get('SENSEX'), 'the index');
  assert.deepEqual([sensex.spot, sensex.contracts.size, sensex.calendarRate], [24_000_00, 6, 425_0000]);
  assert.equal(contentOf(ofTwoCodes('24000.00', '450')).underlyings.get('SENSEX')?.calendarRate, 450_0000);
  assert.deepEqual([...underlyings.keys()], ['SENSEX', 'M&M']);
});

test('a BSE index of which two codes have two prices is refused with its place', () => {
  const said = read(ofTwoCodes('24000.05'));
  assert.match(String(said), /^line \d+, column \d+, .*phyPf: BSXOPT has another price of SENSEX$/);
});

test('a byte order mark before the file changes nothing, however it is cut into pieces', () => {
  const mark = '\u00ef\u00bb\u00bf';
  const whole = contentOf(TEXT);
  for (const cut of [1, 2, 3, 4, 5_000]) {
    const reader = new SpanReader();
    for (const piece of [(mark + TEXT).slice(0, cut), (mark + TEXT).slice(cut)]) reader.write(piece);
    const done = reader.finish();
    assert.ok(done.ok, `cut at ${cut}`);
    assert.deepEqual(done.value, whole);
  }
  assert.match(String(read(TEXT + mark)), /^line \d+, column \d+: /);
  for (const text of [mark, mark.slice(0, 2), mark + mark + TEXT])
    assert.match(String(read(text)), /^line 1, column \d+: /);
});

test('the dearest of several spreads is the rate, and without any there is none', () => {
  assert.equal(contentOf(changed('425.000000', '500')).underlyings.get('NIFTY')?.calendarRate, 500_0000);
  const without = TEXT.replaceAll(/ {4}<dSpread>.*\r\n/g, '');
  assert.equal(contentOf(without).underlyings.get('NIFTY')?.calendarRate, undefined);
});

test('an array of another rate is passed over, and so is everything that margins do not need', () => {
  const other = `<ra><r>2</r>${'<a>9</a>'.repeat(16)}<d>0.5</d></ra></opt>`;
  assert.deepEqual(contentOf(TEXT.replaceAll('</opt>', other)), contentOf(TEXT));
  const unknown = changed('<isSetl>0</isSetl>', '<isSetl>0</isSetl><news k="v">text <a>x</a></news>');
  assert.deepEqual(contentOf(unknown), contentOf(TEXT));
});

const DAMAGES: readonly (readonly [damage: string, text: () => string, words: RegExp])[] = [
  ['an empty file', () => '', /^line 1, column 1: document must contain a root element/],
  ['a text that is no XML', () => 'PK\u0003\u0004', /^line 1, column \d+: /],
  ['another document', () => '<html><body/></html>', /^line 1, column \d+: the root is html, not spanFile$/],
  ['a file that breaks off', () => TEXT.slice(0, 6_000), /^line \d+, column \d+, spanFile\/.*: unclosed tag/],
  [
    'an end of another element',
    () => changed('</phyPf>', '</futPf>'),
    /^line \d+, column \d+, spanFile\/pointInTime\/clearingOrg\/exchange: unexpected close tag$/,
  ],
  ['a document type', () => changed('<spanFile>', '<!DOCTYPE spanFile>\n<spanFile>'), /a document type is not read$/],
  ['an older format', () => changed('4.00<', '3.00<'), /^line 4, column 14, spanFile\/fileFormat: the format is 3\.00/],
  ['no format', () => changed(' <fileFormat>4.00</fileFormat>\r\n', ''), /spanFile: fileFormat is missing$/],
  ['an impossible day', () => changed('20261130', '20261131'), /^line 8, column 9, .*\/date: this is not a date/],
  ['no day', () => changed('<date>20261130</date>', ''), /spanFile\/pointInTime: date is missing$/],
  [
    'a second point in time',
    () => changed('</pointInTime>', '</pointInTime><pointInTime><date>20261130</date></pointInTime>'),
    /more than one/,
  ],
  [
    'another exchange',
    () => changed('<exch>NSE</exch>\r\n    <name>', '<exch>MCX</exch>\r\n    <name>'),
    /exchange\/exch: the exchange is MCX/,
  ],
  [
    'another currency',
    () => changed('<currency>INR</currency>\r\n', '<currency>USD</currency>\r\n'),
    /ccDef\/currency: the currency is USD/,
  ],
  [
    'another order of scenarios',
    () => changed('<point>1<', '<point>2<'),
    /scanPointDef: scenario 2 differs from ours$/,
  ],
  ['a scenario too many', () => changed('<point>16<', '<point>17<'), /scenario 17 differs from ours$/],
  [
    'an array of 15 values',
    () => changed('<a>428.83</a>', ''),
    /^line 147, column 11, spanFile\/.*\/series\/opt\/ra: it has 15 values, not 16$/,
  ],
  ['an array of 17 values', () => changed('<a>428.83</a>', '<a>428.83</a><a>1</a>'), /ra: it has 17 values, not 16$/],
  [
    'a value that is not a number',
    () => changed('>428.83<', '>428,83<'),
    /^line 152, column 24, spanFile\/.*\/ra\/a: this is not a number$/,
  ],
  [
    'a value beyond ten lakh rupees',
    () => changed('>428.83<', '>-1000000.01<'),
    /ra\/a: it is -1000000\.01: below what it can be, or beyond 1000000 rupees$/,
  ],
  [
    'a price beyond ten lakh rupees',
    () => changed('<p>428.85</p>', '<p>1000000.01</p>'),
    /opt\/p: this is not a price/,
  ],
  ['an empty value', () => changed('>428.83<', '><'), /ra\/a: this is not a number$/],
  ['a value in powers of ten', () => changed('>428.83<', '>4e2<'), /ra\/a: this is not a number$/],
  ['no composite delta', () => TEXT.replace(/ {7}<d>[0-9.]+<\/d>\r\n/, ''), /ra: d is missing$/],
  [
    'a composite delta above 1',
    () => TEXT.replace(/ {7}<d>0\./, '       <d>1.'),
    /ra\/d: this is not a delta from -1 to 1$/,
  ],
  ['no array', () => TEXT.replace(/ {6}<ra>[\s\S]*?<\/ra>/, ''), /series\/opt: ra is missing$/],
  ['two arrays', () => TEXT.replace(/( {6}<ra>[\s\S]*?<\/ra>)/, '$1$1'), /opt\/ra: the contract has two risk arrays$/],
  ['no price', () => changed('<p>428.85</p>', ''), /^line 140, column 11, .*series\/opt: p is missing$/],
  ['a negative price', () => changed('<p>428.85</p>', '<p>-1</p>'), /opt\/p: this is not a price in rupees$/],
  ['no strike', () => changed('<k>24000.00</k>', ''), /series\/opt: k is missing$/],
  ['a strike of nothing', () => changed('<k>24000.00</k>', '<k>0</k>'), /opt\/k: this is not a price/],
  ['a third kind of option', () => changed('<o>C</o>', '<o>X</o>'), /opt\/o: the option is X; C and P are read$/],
  ['no expiry', () => changed('     <pe>20261229</pe>\r\n     <p>', '     <p>'), /futPf\/fut: pe is missing$/],
  [
    'an expiry that is none',
    () => changed('     <pe>20261229</pe>\r\n     <p>', '     <pe>00000000</pe>\r\n     <p>'),
    /fut\/pe: this is not a date/,
  ],
  ['a contract twice', () => changed('<k>24500.00</k>', '<k>24000.00</k>'), /opt: the contract is there twice$/],
  [
    'another size of contract',
    () => TEXT.replace(/<sc>1.00000<\/sc>/, '<sc>2.0</sc>'),
    /fut\/sc: it is 2\.0; only 1 is read$/,
  ],
  [
    'another value of a point',
    () => changed('<cvf>1.00</cvf>', '<cvf>10</cvf>'),
    /phyPf\/cvf: it is 10; only 1 is read$/,
  ],
  [
    'no price of the underlying',
    () => TEXT.replace(/ {4}<phyPf>[\s\S]*?<\/phyPf>/, ''),
    /the price of NIFTY \(phyPf\) is missing$/,
  ],
  ['an underlying twice', () => TEXT.replace(/( {4}<phyPf>[\s\S]*?<\/phyPf>)/, '$1$1'), /phyPf: NIFTY has two prices$/],
  ['a commodity twice', () => changed('<cc>M&amp;M</cc>\r\n', '<cc>NIFTY</cc>\r\n'), /ccDef: NIFTY is defined twice$/],
  [
    'a spread without a rate',
    () => changed('<rate><r>1</r><val>425.000000</val></rate>', ''),
    /dSpread: rate is missing$/,
  ],
  [
    'a spread of another method',
    () => changed('<chargeMeth>F<', '<chargeMeth>W<'),
    /dSpread: the charge is W; F \(flat\) is read$/,
  ],
  [
    'a spread of another ratio',
    () => changed('<i>1.000000</i>', '<i>2</i>'),
    /dSpread\/pLeg\/i: it is 2; only 1 is read$/,
  ],
  [
    'a portfolio before its exchange',
    () => TEXT.replace(/ {4}<exch>NSE<\/exch>\r\n/, ''),
    /phyPf: exch must come before it$/,
  ],
  ['no contract', () => TEXT.replaceAll(/<(fut|series)>[\s\S]*?<\/\1>/g, ''), /spanFile: no contract is in it$/],
];

for (const [damage, text, words] of DAMAGES) {
  test(`${damage} is refused with its place`, () => {
    const said = read(text());
    assert.equal(typeof said, 'string', 'it was read');
    assert.match(said as string, words);
  });
}

test('records after a fault are not looked at', () => {
  const reader = new SpanReader();
  reader.write('<html>');
  assert.equal(reader.damaged, true);
  reader.write(TEXT);
  assert.deepEqual(reader.finish(), { ok: false, error: 'line 1, column 7: the root is html, not spanFile' });
});

test('any one byte that is lost or doubled gives a refusal with its place, or a file, and never a failure of ours', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: TEXT.length - 1 }), fc.boolean(), (at, double) => {
      const text = TEXT.slice(0, at) + (double ? TEXT.slice(at, at + 1).repeat(2) : '') + TEXT.slice(at + 1);
      const content = read(text);
      if (typeof content === 'string') assert.match(content, /^line \d+, column \d+/);
      else
        for (const { contracts } of content.underlyings.values()) {
          for (const { losses } of contracts.values()) assert.ok(losses.every(Number.isInteger));
        }
    }),
    { numRuns: 300 },
  );
});
