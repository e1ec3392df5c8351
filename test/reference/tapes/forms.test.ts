/** Files of ticks and of days in their published forms, a few rows each as the vendors and exchanges write them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIsoDay } from '../../../src/base/time.ts';
import { dayBytes, dayOfBytes } from '../../../src/folder/tapes/day-bytes.ts';
import type { CollectedDay } from '../../../src/tapes/collector.ts';
import { zipOf } from '../../kit/tapes/archives.ts';
import { type ReadDays, readAs } from '../../kit/tapes/reading.ts';

const UDIFF =
  'TradDt,BizDt,Sgmt,Src,FinInstrmTp,FinInstrmId,ISIN,TckrSymb,SctySrs,XpryDt,FininstrmActlXpryDt,StrkPric,OptnTp,' +
  'FinInstrmNm,OpnPric,HghPric,LwPric,ClsPric,LastPric,PrvsClsgPric,UndrlygPric,SttlmPric,OpnIntrst,ChngInOpnIntrst,' +
  'TtlTradgVol,TtlTrfVal,TtlNbOfTxsExctd,SsnId,NewBrdLotQty,Rmks,Rsvd1,Rsvd2,Rsvd3,Rsvd4';

function only({ days }: ReadDays, name: string): CollectedDay {
  const [day, ...more] = days.get(name)?.days ?? [];
  assert.ok(day !== undefined && more.length === 0, `${[...days.keys()].join()} has one day of ${name}`);
  return day;
}

/** The candle of a day that is one: open, high, low, close, volume, open interest. */
function candleOf(read: ReadDays, name: string): readonly (number | string | undefined)[] {
  const day = only(read, name);
  assert.equal(read.days.get(name)?.span, 'day');
  if (day.kind !== 'candles') assert.fail('it has candles');
  const { open, high, low, close, volume, openInterest } = day.candles;
  const columns = [open, high, low, close, volume, openInterest].map((column) => column?.[0]);
  return [formatIsoDay(day.day), ...columns];
}

test('UDiFF has shares by series, contracts by lots, and prices that no print shows', async () => {
  const text = [
    UDIFF,
    '2025-09-11,2025-09-11,FO,NSE,IDF,52995,,NIFTY,,2025-09-30,2025-09-30,,,NIFTY25SEPFUT,25000.00,25100.00,24900.00,25050.00,25060.50,24980.00,24990.05,25050.00,1500075,-75,20,3757500000.00,9,F1,75,,,,,',
    '2025-09-11,2025-09-11,FO,NSE,IDO,52975,,NIFTY,,2025-09-16,2025-09-16,25000.00,PE,NIFTY,100.05,120.00,90.00,101.00,99.95,110.00,24990.05,101.00,150,75,2,376515.00,2,F1,75,,,,,',
    '2025-09-11,2025-09-11,FO,NSE,STO,54692,,RELIANCE,,2025-10-28,2025-10-28,285.00,CE,X,0.00,0.00,0.00,14.40,14.40,14.40,290.00,20.70,0,0,0,0.00,0,F1,500,,,,,',
    '2025-09-11,2025-09-11,CM,NSE,STK,2885,INE002A01018,RELIANCE,EQ,,,,,RELIANCE INDUSTRIES LTD,1380.00,1390.50,1375.05,1385.10,1386.00,1377.00,,1385.10,,,7500000,10388250000.00,99,F1,1,,,,,',
    '2025-09-11,2025-09-11,CM,BSE,STK,500325,INE002A01018,RELIANCE,A,,,,,RELIANCE INDUSTRIES LTD.,1380.10,1390.00,1375.00,1385.00,1385.00,1377.05,,1385.00,,,75000,103875000.00,99,F1,1,,,,,',
    '2025-09-11,2025-09-11,CM,NSE,STK,1,INE000A00000,NOSUCHSHARE,EQ,,,,,NO SUCH,1.00,1.00,1.00,1.00,1.00,1.00,,1.00,,,5,5.00,1,F1,1,,,,,',
  ].join('\n');
  const read = await readAs('BhavCopy.csv', text);
  assert.deepEqual(read.titles, ['bhavcopy (UDiFF)']);
  assert.deepEqual(candleOf(read, 'NFO:NIFTY30SEP25F'), [
    '2025-09-11',
    2500000,
    2510000,
    2490000,
    2506050,
    1500,
    1500075,
  ]);
  assert.deepEqual(candleOf(read, 'NFO:NIFTY16SEP25P25000'), ['2025-09-11', 10005, 12000, 9000, 9995, 150, 150]);
  assert.deepEqual(candleOf(read, 'NSE:RELIANCE-EQ'), ['2025-09-11', 138000, 139050, 137505, 138600, 7500000, 0]);
  assert.deepEqual(candleOf(read, 'BSE:RELIANCE'), ['2025-09-11', 138010, 139000, 137500, 138500, 75000, 0]);
  const { lot, official } = only(read, 'NFO:NIFTY30SEP25F');
  assert.deepEqual(
    { lot, official },
    { lot: 75, official: { close: 2505000, previousClose: 2498000, settlement: 2505000 } },
  );
  assert.equal(read.instruments.untraded, 1);
  assert.deepEqual([...read.instruments.leftOut.values()], [1]);
});

test('a lot and units that no column holds are refused with line and column', async () => {
  const udiff = (volume: string, lot: string) =>
    `${UDIFF}\n2025-09-11,2025-09-11,FO,NSE,IDF,52995,,NIFTY,,2025-09-30,2025-09-30,,,X,1,1,1,1,1,1,1,1,0,0,${volume},1,1,F1,${lot},,,,,`;
  const most = String(2 ** 31 - 1);
  const read = await readAs('BhavCopy.csv', udiff('1', most));
  const day = only(read, 'NFO:NIFTY30SEP25F');
  assert.deepEqual(dayOfBytes(dayBytes(day), day.day, 'day'), { ...day, span: 'day' });
  const cases: readonly (readonly [string, string])[] = [
    [udiff('1', '2147483648'), 'column NewBrdLotQty: "2147483648" is too large'],
    [udiff('0', '5000000000'), 'column NewBrdLotQty: "5000000000" is too large'],
    [udiff('140000', most), `column TtlTradgVol: "140000" is too large in lots of ${most}`],
  ];
  for (const [content, refusal] of cases) {
    await assert.rejects(readAs('BhavCopy.csv', content), { message: `BhavCopy.csv, line 2, ${refusal}` });
  }
});

test('the older forms of NSE shares: the short one with its last comma, and the full one with blanks', async () => {
  const short = [
    'SYMBOL,SERIES,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,TOTTRDQTY,TOTTRDVAL,TIMESTAMP,TOTALTRADES,ISIN,',
    'RELIANCE,EQ,3180,3197.65,3085,3177.25,3175,3108.05,9866241,31130000000.5,05-JUL-2024,300000,INE002A01018,',
  ];
  const read = await readAs('cm05JUL2024bhav.csv', `${short.join('\n')}\n`);
  assert.deepEqual(candleOf(read, 'NSE:RELIANCE-EQ'), [
    '2024-07-05',
    318000,
    319765,
    308500,
    317500,
    9866241,
    undefined,
  ]);
  const full = [
    'SYMBOL, SERIES, DATE1, PREV_CLOSE, OPEN_PRICE, HIGH_PRICE, LOW_PRICE, LAST_PRICE, CLOSE_PRICE, AVG_PRICE, TTL_TRD_QNTY, TURNOVER_LACS, NO_OF_TRADES, DELIV_QTY, DELIV_PER',
    'RELIANCE, EQ, 14-Nov-2025, 1511.00, 1505.10, 1519.80, 1500.00, 1518.00, 1518.90, 1511.11, 9500000, 143555.00, 200000, 5500000, 57.89',
  ];
  const other = await readAs('sec_bhavdata_full_14112025.csv', full.join('\n'));
  assert.deepEqual(candleOf(other, 'NSE:RELIANCE-EQ'), [
    '2025-11-14',
    150510,
    151980,
    150000,
    151800,
    9500000,
    undefined,
  ]);
});

test('the older form of BSE names shares by their codes; its date may be in the name of the file alone', async () => {
  const head =
    'SC_CODE,SC_NAME,SC_GROUP,SC_TYPE,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,NO_TRADES,NO_OF_SHRS,NET_TURNOV,TDCLOINDI';
  const row = '500325,RELIANCE    ,A ,Q,2700.00,2750.00,2690.25,2741.30,2740.00,2695.00,9751,434400,1166985300.00,';
  const csv = `${head}\n${row}\n`;
  const read = await readAs('EQ050724_CSV.ZIP', zipOf({ name: 'EQ050724.CSV', content: csv }));
  assert.deepEqual(candleOf(read, 'BSE:RELIANCE'), ['2024-07-05', 270000, 275000, 269025, 274000, 434400, undefined]);
  const dated = `${head},ISIN_CODE,TRADING_DATE\n${row},INE002A01018,08-Jul-24\n`;
  const other = await readAs('EQ_ISINCODE_080724.CSV', dated);
  assert.deepEqual(candleOf(other, 'BSE:RELIANCE').slice(0, 2), ['2024-07-08', 270000]);
  await assert.rejects(readAs('reliance.csv', csv), /neither its rows nor its name have a date/);
});

test('the older form of contracts counts contracts: their lot is found from values and open interest', async () => {
  const head =
    'INSTRUMENT,SYMBOL,EXPIRY_DT,STRIKE_PR,OPTION_TYP,OPEN,HIGH,LOW,CLOSE,SETTLE_PR,CONTRACTS,VAL_INLAKH,OPEN_INT,CHG_IN_OI,TIMESTAMP,';
  const rows = [
    'FUTIDX,NIFTY,25-Jul-2024,0,XX,24300,24400,24250,24380,24380,100000,608250.00,12500025,0,05-JUL-2024,',
    'OPTIDX,NIFTY,25-Jul-2024,24000,CE,500,560,450,540.15,540.15,1000,6130.00,250000,0,05-JUL-2024,',
    'OPTIDX,NIFTY,25-Jul-2024,20000,PE,0,0,0,1.15,1.15,0,0,2500,0,05-JUL-2024,',
  ];
  const read = await readAs('fo05JUL2024bhav.csv', [head, ...rows].join('\n'));
  assert.deepEqual(candleOf(read, 'NFO:NIFTY25JUL24F'), [
    '2024-07-05',
    2430000,
    2440000,
    2425000,
    2438000,
    2500000,
    12500025,
  ]);
  assert.equal(candleOf(read, 'NFO:NIFTY25JUL24C24000')[5], 25_000);
  const unknown = ['OPTIDX,NIFTY,25-Jul-2024,24000,CE,500,9000,1,540.15,540.15,1000,6130.00,250000,0,05-JUL-2024,'];
  await assert.rejects(
    readAs('fo05JUL2024bhav.csv', [head, ...unknown].join('\n')),
    /line 2, column CONTRACTS: values and open interest do not show the lot/,
  );
  const valued = (value: string) =>
    `${head}\nFUTIDX,NIFTY,25-Jul-2024,0,XX,0.05,0.05,0.05,0.05,0.05,1,${value},250000,0,05-JUL-2024,`;
  for (const value of ['1000000000000000', '9'.repeat(40), '9'.repeat(400)]) {
    await assert.rejects(
      readAs('fo05JUL2024bhav.csv', valued(value)),
      /line 2, column (CONTRACTS: values and open interest do not show the lot|VAL_INLAKH: "9{40}" is not a number)/,
    );
  }
  for (const value of ['1e15', '0x10', '-5.0', 'Infinity']) {
    const refusal = `fo05JUL2024bhav.csv, line 2, column VAL_INLAKH: "${value}" is not a number`;
    await assert.rejects(readAs('fo05JUL2024bhav.csv', valued(value)), { message: refusal });
  }
});

test('ticks of GDFL keep quotes, quantities and open interest, in the order in which they came', async () => {
  const text = [
    'Ticker,Date,Time,LTP,BuyPrice,BuyQty,SellPrice,SellQty,LTQ,OpenInterest',
    'NIFTY03JUL2522800CE.NFO,01/07/2025,09:15:01,2810.5,2805,75,2815.05,150,75,1500',
    'NIFTY03JUL2522800CE.NFO,01/07/2025,09:15:01,2810.5,0,0,2812,75,0,1500',
    'NIFTY03JUL2522800CE.NFO,01/07/2025,09:15:03,2811,2810,75,2812,75,150,1575',
    'NIFTY-I.NFO,01/07/2025,09:15:03,25600,25599,75,25600,75,75,1575',
  ].join('\r\n');
  const read = await readAs('GFDLNFO_TICK_01072025.zip', zipOf({ name: 'NIFTY03JUL2522800CE.NFO.csv', content: text }));
  assert.deepEqual(read.titles, ['ticks of GDFL']);
  const day = only(read, 'NFO:NIFTY03JUL25C22800');
  if (day.kind !== 'ticks') assert.fail('it has ticks');
  const { second, price, quantity, quotes, openInterest } = day.ticks;
  assert.deepEqual([...second], [33301, 33301, 33303]);
  assert.deepEqual([...price], [281050, 281050, 281100]);
  assert.deepEqual([...quantity], [75, 0, 150]);
  assert.deepEqual([...(quotes?.bid ?? [])], [280500, 0, 281000]);
  assert.deepEqual([...(quotes?.askQuantity ?? [])], [150, 75, 75]);
  assert.deepEqual([...(openInterest ?? [])], [1500, 1500, 1575]);
  assert.deepEqual([...read.instruments.leftOut.keys()], ['\tNIFTY-I.NFO']);
});

test('ticks of TrueData are named by their files, in a zip of zips, with five columns or nine', async () => {
  const five = '20250701,09:15:01,1510.1,25,0\n20250701,09:15:01,1510.2,5,0\n';
  const nine = '20250701,09:15:02,25600.1,75,1500,25600,75,25601.05,150\n';
  const month = zipOf({ name: 'RELIANCE.csv', content: five }, { name: 'NIFTY31JUL25FUT.csv', content: nine });
  const read = await readAs('2025.zip', zipOf({ name: 'jul.zip', content: month }));
  assert.deepEqual([...read.days.keys()], ['NSE:RELIANCE-EQ', 'NFO:NIFTY31JUL25F']);
  const [share, future] = [only(read, 'NSE:RELIANCE-EQ'), only(read, 'NFO:NIFTY31JUL25F')];
  if (share.kind !== 'ticks' || future.kind !== 'ticks') assert.fail('they have ticks');
  assert.deepEqual([...share.ticks.price], [151010, 151020]);
  assert.equal(share.ticks.quotes, undefined);
  assert.deepEqual([...(future.ticks.quotes?.ask ?? [])], [2560105]);
  assert.deepEqual([...(future.ticks.openInterest ?? [])], [1500]);
});

test('lines without names that could be both are read as the operator says', async () => {
  const lines = '20250701,09:15:00,1510.1,1511,1510,1510.5,900,0\n20250701,09:16:00,1510.5,1512,1510,1511,800,0\n';
  const candles = only(await readAs('RELIANCE.csv', lines, { as: 'candles' }), 'NSE:RELIANCE-EQ');
  assert.equal(candles.kind, 'candles');
  await assert.rejects(readAs('RELIANCE.csv', lines), /RELIANCE\.csv: lines of 8 columns .* say --as/);
});

test('an index has candles without a volume, and candles of five minutes say so by their distances', async () => {
  const lines = Array.from(
    { length: 20 },
    (_, row) =>
      `2026-01-01 ${10 + Math.floor(row / 12)}:${String((row % 12) * 5).padStart(2, '0')}:00,100,101,99.5,100`,
  );
  const read = await readAs('5m_NIFTY.csv', ['datetime,open,high,low,close', ...lines].join('\n'));
  assert.equal(read.days.get('NSE:NIFTY')?.span, 5);
  const day = only(read, 'NSE:NIFTY');
  assert.ok(day.kind === 'candles' && day.candles.volume.every((units) => units === 0));
});

test('a minute file with gaps stays one of minutes', async () => {
  const minutes = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 46];
  const lines = minutes.map((minute) => `2026-01-01 10:${String(minute).padStart(2, '0')}:00,100,101,99.5,100,5`);
  const read = await readAs('ITC.csv', ['datetime,open,high,low,close,volume', ...lines].join('\n'));
  assert.equal(read.days.get('NSE:ITC-EQ')?.span, 1);
});
