import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { QuoteRow } from '../../../client/src/wire.ts';
import { PLAIN, paintFor } from '../text/paint.ts';
import { gridPicture, roomOf, type Watched } from './grid.ts';
import { Screen } from './screen.ts';
import { takeTerminal } from './terminal.ts';

const QUOTE = {
  lastTradedPrice: '269.50',
  dayClosePrice: '269.90',
  bestBuyPrice1: '269.45',
  bestSellPrice1: '269.50',
  bestBuyQuantity1: '200',
  bestSellQuantity1: '480',
  volume: '9724325',
  dayLowPrice: '268.90',
  dayHighPrice: '270.95',
  oi: '0',
} as QuoteRow;
const FRAME = { title: 'SD1001', trouble: '', columns: 80, rows: 6, from: 0, paint: PLAIN };

function watched(count: number, quote?: QuoteRow): Watched[] {
  return Array.from({ length: count }, (_, index) => ({ name: `NSE:A${index}-EQ`, quote, move: undefined }));
}

/** The picture as a terminal would show it. */
function linesOf(picture: ReturnType<typeof gridPicture>, rows: number): string[] {
  const lines: string[] = Array.from({ length: rows }, () => '');
  for (const { row, column, text } of picture.cells) {
    const line = (lines[row] ?? '').padEnd(column);
    lines[row] = line.slice(0, column) + text + line.slice(column + text.length);
  }
  return lines.map((line) => line.trimEnd());
}

test('the grid fits its terminal: the columns that matter most, and the lines that there is room for', () => {
  const lines = linesOf(gridPicture(watched(9, QUOTE), FRAME), 6);
  assert.deepEqual(lines, [
    'SD1001',
    'instrument          last    change       %         bid         ask       volume',
    'NSE:A0-EQ         269.50     -0.40   -0.15      269.45      269.50    97,24,325',
    'NSE:A1-EQ         269.50     -0.40   -0.15      269.45      269.50    97,24,325',
    'NSE:A2-EQ         269.50     -0.40   -0.15      269.45      269.50    97,24,325',
    'q quits, arrows scroll, 1 to 3 of 9',
  ]);
  assert.equal(roomOf(6), 3);
  const wide = linesOf(gridPicture(watched(1, QUOTE), { ...FRAME, columns: 140 }), 6);
  assert.match(wide[1] ?? '', /change .* bid units .* low +high +interest$/);
  for (const columns of [10, 30, 60, 80, 100, 140]) {
    const shown = linesOf(gridPicture(watched(2, QUOTE), { ...FRAME, columns, trouble: 'x'.repeat(200) }), 6);
    const widest = Math.max(...shown.map((line) => line.length));
    assert.ok(columns < 40 || widest <= columns, `${widest} in ${columns}`);
  }
});

test('the grid says what is wrong in place of its title, and waits for quotes that have not come', () => {
  const lines = linesOf(gridPicture(watched(1), { ...FRAME, trouble: 'trying again' }), 6);
  assert.equal(lines[0], 'trying again');
  assert.match(lines[2] ?? '', /^NSE:A0-EQ +\.\.\.$/);
});

test('prices have the colour of the day, and one that has just moved stands on a ground of its colour', () => {
  const paint = paintFor(true, {});
  const texts = (rows: readonly Watched[]) => gridPicture(rows, { ...FRAME, paint }).cells.map(({ text }) => text);
  assert.ok(texts(watched(1, QUOTE)).some((text) => text === '    \x1b[31m269.50\x1b[0m'));
  const moved = watched(1, QUOTE).map((row) => ({ ...row, move: 'up' as const }));
  assert.ok(texts(moved).some((text) => text === '    \x1b[7;32m269.50\x1b[0m'));
});

function output() {
  let written = '';
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 6 });
  stream.write = ((text: string) => {
    written += text;
    return true;
  }) as typeof stream.write;
  const take = (): string => {
    const taken = written;
    written = '';
    return taken;
  };
  return { stream, take };
}

test('only what changed is drawn again, and a new layout begins on a blank screen', () => {
  const { stream, take } = output();
  const screen = new Screen(stream);
  const picture = (last: string, from = 0) =>
    gridPicture([{ name: 'NSE:A-EQ', quote: { ...QUOTE, lastTradedPrice: last }, move: undefined }], {
      ...FRAME,
      from,
    });
  screen.draw(picture('1.00'));
  assert.equal(take(), '', 'nothing is drawn on a screen that is not ours');
  screen.enter();
  screen.draw(picture('269.50'));
  assert.ok(take().startsWith('\x1b[?1049h\x1b[?25l\x1b[2J\x1b[2J'));
  screen.draw(picture('269.50'));
  assert.equal(take(), '');
  screen.draw(picture('269.45'));
  assert.equal(take(), '\x1b[3;15H    269.45\x1b[3;27H   -0.45\x1b[3;37H -0.17');
  screen.leave();
  screen.leave();
  assert.equal(take(), '\x1b[?25h\x1b[?1049l', 'it is left once');
});

test('keys quit and scroll, and the terminal is given back', () => {
  const { stream, take } = output();
  const raw: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (mode: boolean) => raw.push(mode) });
  const asked: string[] = [];
  const giveBack = takeTerminal(input, stream, new Screen(stream), {
    quit: () => asked.push('quit'),
    scroll: (lines, pages) => asked.push(`${lines} ${pages}`),
    redraw: () => asked.push('redraw'),
  });
  for (const key of ['\x1b[B', 'k', '\x1b[6~', 'x', 'q', '\x03']) input.emit('data', Buffer.from(key));
  stream.emit('resize');
  process.emit('SIGTERM');
  assert.deepEqual(asked, ['redraw', '1 0', '-1 0', '0 1', 'quit', 'quit', 'redraw', 'quit']);
  giveBack();
  assert.deepEqual(raw, [true, false]);
  assert.ok(take().endsWith('\x1b[?1049l'));
  assert.equal(process.listenerCount('SIGTERM'), 0);
  assert.equal(input.listenerCount('data'), 0);
});
