import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must } from '../src/base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../src/base/ids.ts';
import { inMemory, type MakeStore } from '../src/base/logs/byte-log.ts';
import { price, quantity } from '../src/base/money.ts';
import type { EpochMs } from '../src/base/time.ts';
import type { OrderTerms } from '../src/core/order.ts';
import { chunkFiles } from '../src/os/chunk-file.ts';
import { OrderHistory } from '../src/views/order-history.ts';
import { usedBytes } from './process/heap.ts';
import type { BenchRow } from './rows.ts';

/*
 * B11: bytes that the history of an ended order keeps in use, buffers included, with its rows in files and, beside it
 * in the same run, in memory; and the times to fold an order and to read one of many that lie apart.
 */

const ORDERS = 300_000;
const READS = 10_000;
const FIRST = 26112300000001;
const INSTRUMENT = 11_540 as InstrumentId;

/** An order that is received, acknowledged, filled in part, and cancelled or filled to its end. */
function endOne(history: OrderHistory, index: number): void {
  const at = (1_795_000_000_000 + index) as EpochMs;
  const order = (FIRST + index) as OrderNumber;
  const account = (index % 2_000) as AccountId;
  const words = { instrument: INSTRUMENT, kind: 'equity', group: INSTRUMENT, isin: 'INE002A01018' } as const;
  const terms: OrderTerms = {
    priceType: 'LMT',
    retention: 'DAY',
    quantity: quantity(100),
    price: price(126_000 + 5 * (index % 200)),
    trigger: price(0),
  };
  const remarks = `order ${index % 1_000}`;
  history.apply(at, { ...words, type: 'OrderReceived', order, account, side: 'B', product: 'C', remarks, terms });
  history.apply(at, { type: 'OrderAcknowledged', order, exchangeOrder: (11e14 + index) as ExchangeOrderNumber });
  fill(history, at, order, account, 40);
  if (index % 2 === 0) history.apply(at, { type: 'OrderCancelled', order, reason: 'Client' });
  else fill(history, at, order, account, 60);
}

function fill(history: OrderHistory, at: EpochMs, order: OrderNumber, account: AccountId, units: number): void {
  history.apply(at, {
    type: 'Traded',
    trade: 1 as TradeId,
    instrument: INSTRUMENT,
    kind: 'equity',
    group: INSTRUMENT,
    tick: 1_795_000_000 as Tick,
    price: price(126_000),
    quantity: quantity(units),
    aggressor: 'B',
    buy: { order, account, product: 'C' },
  });
}

/** The processor time of this thread, so that other programs do not count. */
function cpuUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

interface Cost {
  readonly bytes: number;
  readonly foldUs: number;
  readonly readUs: number;
}

/** The costs of one order each. Turns of the loop let the files be written. */
async function costOf(makeStore: MakeStore): Promise<Cost> {
  const before = usedBytes();
  const history = new OrderHistory(makeStore);
  let foldUs = 0;
  for (let from = 0; from < ORDERS; from += 1_000) {
    const began = cpuUs();
    for (let index = from; index < from + 1_000; index += 1) endOne(history, index);
    foldUs += cpuUs() - began;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const bytes = (usedBytes() - before) / ORDERS;
  const began = cpuUs();
  for (let read = 0; read < READS; read += 1) {
    must(history.find((FIRST + ((read * 7_919) % ORDERS)) as OrderNumber), 'every order has a history');
  }
  return { bytes, foldUs: foldUs / ORDERS, readUs: (cpuUs() - began) / READS };
}

/** B11 for ended orders as a row. */
export async function endedRow(): Promise<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-ended-'));
  try {
    await costOf(inMemory);
    const memory = await costOf(inMemory);
    const files = await costOf(chunkFiles(folder));
    const words = ({ bytes, foldUs, readUs }: Cost): string =>
      `${bytes.toFixed(0)} B, ${foldUs.toFixed(2)} and ${readUs.toFixed(1)} µs`;
    return {
      id: 'B11',
      what: 'an ended order, in files and in memory',
      ours: words(files),
      reference: words(memory),
      ratio: (files.bytes / memory.bytes).toFixed(3),
      spread: 'one run',
      goal: 'at most 32 bytes',
      reached: files.bytes <= 32,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) console.table([await endedRow()]);
