import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ExchangeDay } from '../../kit/exchange/exchange-day.ts';

/*
 * Days of the exchange as text, played through the wire by a virtual clock. The first line is the title, `on DATE` says
 * the day; then times, orders and, indented, `order: status filled of quantity, reason`. Each day is played twice and
 * has to end with the same books.
 */

const FOLDER = join(import.meta.dirname, 'days');
const PLACE =
  /^(?<user>[A-Z]+) (?<verb>buys|sells) (?<units>\d+) (?<exchange>NSE|NFO) (?<what>\S+) at (?:(?<market>market)|last(?<percent>[+-][\d.]+)?%?)(?: when last(?<trigger>[+-][\d.]+)%)?(?<ioc> or cancel)? as (?<product>[CIM]) (?<name>\w+)$/;

type Words = { readonly [name: string]: string | undefined };

async function play(lines: readonly string[], date: string): Promise<unknown> {
  const day = new ExchangeDay(date);
  await day.open();
  try {
    for (const [index, line] of lines.entries()) {
      try {
        await act(day, line);
      } catch (error) {
        throw new Error(`"${line}" (${index + 3}): ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }
    return await day.books();
  } finally {
    await day.close();
  }
}

async function act(day: ExchangeDay, line: string): Promise<void> {
  const [, order, expected] = /^\s+(\w+): (.+)$/.exec(line) ?? [];
  if (order !== undefined && expected !== undefined) {
    assert.equal(await day.statusOf(order), expected);
    return;
  }
  const placed = PLACE.exec(line)?.groups;
  if (placed !== undefined) return place(day, placed);
  const [, time] = /^at (\d\d:\d\d:\d\d)$/.exec(line) ?? [];
  if (time !== undefined) return day.passTo(time);
  const [, fall] = /^the indices fall (\d+) per cent$/.exec(line) ?? [];
  if (fall !== undefined) return day.letFall(Number(fall));
  const [, cancelled] = /^cancel (\w+)$/.exec(line) ?? [];
  assert.ok(cancelled !== undefined, 'not understood');
  await day.cancel(cancelled);
}

async function place(day: ExchangeDay, words: Words): Promise<void> {
  const {
    user = '',
    verb,
    units = '',
    exchange,
    what = '',
    market,
    percent,
    trigger,
    ioc,
    product = '',
    name = '',
  } = words;
  const instrument = day.instrument(exchange === 'NFO' ? 'NFO' : 'NSE', what);
  const stop = trigger === undefined ? {} : { triggerPrice: day.priceNear(instrument, Number(trigger)) };
  const type = market === undefined ? 'LMT' : 'MKT';
  await day.place(name, user, {
    exchange: instrument.exchange,
    tradingSymbol: instrument.tradingSymbol,
    transactionType: verb === 'buys' ? 'B' : 'S',
    quantity: String(Number(units) * instrument.lot),
    product,
    priceType: trigger === undefined ? type : `SL-${type}`,
    price: market === undefined ? day.priceNear(instrument, Number(percent ?? 0)) : '0',
    ...(ioc === undefined ? {} : { retention: 'IOC' }),
    ...stop,
  });
}

describe('days of the exchange', () => {
  for (const file of readdirSync(FOLDER).sort()) {
    const [title = '', opening = '', ...rest] = readFileSync(join(FOLDER, file), 'utf8').split('\n');
    const told = rest.filter((line) => line !== '' && !line.startsWith('#'));
    const date = /^on (\d{4}-\d\d-\d\d)$/.exec(opening)?.[1] ?? assert.fail(`${file}: on DATE`);
    it(title.slice(2), async () => {
      const first = await play(told, date);
      assert.deepEqual(await play(told, date), first, 'the same day has the same books');
    });
  }
});
