import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import { EXCHANGES, instrumentId } from '../../base/ids.ts';
import { type EpochMs, formatIsoDay, parseIsoDay } from '../../base/time.ts';
import { isDerivative } from '../../core/instrument.ts';
import { loadReferenceData, readImport } from './load.ts';
import { parseMasterCsv } from './master-csv.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const master = data.master();
const NOW = Date.parse('2026-11-21T10:00:00+05:30') as EpochMs;
const CASH = 'Exchange,Token,LotSize,TradingSymbol,CompanyName,ISIN,TickSize,FreezeQty';
const CONTRACTS =
  'Exchange,Token,LotSize,Symbol,TradingSymbol,CompanyName,Expiry,Instrument,OptionType,StrikePrice,TickSize,FreezeQty';

function imported(...lines: string[]) {
  const rows = readImport(lines.join('\n'), master);
  assert.ok(rows.ok, JSON.stringify(rows));
  return data.master({ imported: rows.value });
}

function errorsOf(...lines: string[]) {
  const rows = readImport(lines.join('\n'), master);
  assert.equal(rows.ok, false);
  return rows.ok ? [] : rows.error;
}

test('the symbol files have the columns and the forms of the contract', () => {
  const nfo = [...master.symbolLines('NFO', NOW)];
  assert.equal(nfo[0], CONTRACTS);
  assert.ok(
    nfo.some((line) =>
      /^NFO,\d{10},30,BANKNIFTY,BANKNIFTY29DEC26C57600,BANKNIFTY 29 26DEC 57600 C,29-DEC-2026,OPTIDX,CE,57600,0\.05,600$/.test(
        line,
      ),
    ),
  );
  assert.ok(
    nfo.some((line) =>
      /^NFO,\d{10},500,RELIANCE,RELIANCE29DEC26F,RELIANCE 26DEC FUT,29-DEC-2026,FUTSTK,XX,0,0\.10,20000$/.test(line),
    ),
  );
  const nse = [...master.symbolLines('NSE', NOW)];
  assert.equal(nse[0], CASH);
  assert.equal(nse[1], 'NSE,26000,1,NIFTY,NIFTY 50,,0,0');
  assert.ok(nse.includes('NSE,2885,1,RELIANCE-EQ,Reliance Industries Limited,INE002A01018,0.10,0'));
  assert.equal(nse.length - 1, [...master.list('NSE', NOW)].length);
});

test('the file of index derivatives has those of both exchanges, without names and freeze quantities', () => {
  const [head, ...lines] = master.symbolLines('Indices', NOW);
  assert.equal(head, 'Exchange,Token,LotSize,Symbol,TradingSymbol,Expiry,Instrument,OptionType,StrikePrice,TickSize');
  const derivatives = (['NFO', 'BFO'] as const).flatMap((exchange) =>
    [...master.list(exchange, NOW)].filter(isDerivative),
  );
  const expected = derivatives.filter(({ underlyingKind }) => underlyingKind === 'index');
  assert.deepEqual(
    lines.map((line) => line.split(',').slice(0, 2).join()),
    expected.map(({ exchange, token }) => `${exchange},${token}`),
  );
  const call = /^NFO,\d{10},30,BANKNIFTY,BANKNIFTY29DEC26C57600,29-DEC-2026,OPTIDX,CE,57600,0\.05$/;
  assert.equal(lines.filter((line) => call.test(line)).length, 1);
  const future = /^BFO,\d+,\d+,SENSEX,SENSEX26DECFUT,\d\d-DEC-2026,FUTIDX,XX,0,0\.05$/;
  assert.equal(lines.filter((line) => future.test(line)).length, 1);
});

test('our own symbol files are imported without a fault and change nothing but what they cannot say', () => {
  for (const exchange of EXCHANGES) {
    const rows = readImport([...master.symbolLines(exchange, NOW), ''].join('\n'), master);
    assert.ok(rows.ok, rows.ok ? '' : JSON.stringify(rows.error.slice(0, 3)));
    const again = data.master({ imported: rows.value });
    assert.equal(again.count(NOW), master.count(NOW), exchange);
    let compared = 0;
    for (const instrument of master.list(exchange, NOW)) {
      compared += 1;
      if (compared % 97 !== 0) continue;
      const back = must(again.find(exchange, instrument.tradingSymbol, NOW), instrument.tradingSymbol);
      const listedOn = isDerivative(instrument) ? { listedOn: instrument.listedOn } : {};
      const series = instrument.kind === 'equity' ? { series: instrument.series } : {};
      assert.deepEqual({ ...back, ...listedOn, ...series }, instrument);
    }
  }
});

test('an imported contract wins over the generated one of its symbol, everywhere', () => {
  const changed = imported(
    CONTRACTS,
    'NFO,48704,60,NIFTY,NIFTY29DEC26C24000,"NIFTY, DEC",29-DEC-2026,OPTIDX,CE,24000,0.10,1200',
  );
  const found = must(changed.find('NFO', 'NIFTY29DEC26C24000', NOW), 'the imported one');
  assert.deepEqual([found.token, found.lot, found.tick, found.freeze], [48_704, 60, 10, 1_200]);
  const expiry = must(parseIsoDay('2026-12-29'), 'a date');
  const chain = changed.chain(instrumentId('NSE', 26_000), expiry, NOW).filter((option) => option.strike === 2_400_000);
  assert.deepEqual(
    chain.map((option) => option.token === 48_704),
    [true, false],
  );
  assert.deepEqual(
    changed.search('NIFTY29DEC26C24000', 9, NOW).map(({ token }) => token),
    [48_704],
  );
  assert.equal(changed.count(NOW), master.count(NOW));
  const generated = must(master.find('NFO', 'NIFTY29DEC26C24000', NOW), 'the generated one');
  assert.equal(changed.get(generated.id)?.tradingSymbol, 'NIFTY29DEC26C24000', 'its token is still known');
});

test('contracts on an underlying that has none are added, with its chain and expiry', () => {
  const added = imported(CONTRACTS, 'NFO,35000,500,20MICRONS,20MICRONS15DEC26C200,,15-Dec-2026,OPTSTK,CE,200,0.05,');
  const underlying = must(added.underlyingOf('NSE', '20MICRONS-EQ', NOW), '20MICRONS');
  assert.deepEqual(added.expiries(underlying, NOW).map(formatIsoDay), ['2026-12-15']);
  assert.equal(added.chain(underlying, must(parseIsoDay('2026-12-15'), 'a date'), NOW).length, 1);
  const kinds = [master, added].map((one) => must(one.get(underlying), '20MICRONS'));
  assert.deepEqual(
    kinds.map((share) => share.kind === 'equity' && share.hasDerivatives),
    [false, true],
    'it is a share with contracts from then on',
  );
  assert.equal(added.count(NOW), master.count(NOW) + 1);
  assert.equal(
    added.find('NFO', '20MICRONS15DEC26C200', Date.parse('2026-12-15T15:41:00+05:30') as EpochMs),
    undefined,
  );
});

test('an imported share replaces the one of its token or its symbol, and a new one has facts', () => {
  const changed = imported(
    CASH,
    'NSE,2885,1,RELIANCE-BE,"Reliance, Limited",INE002A01018,0.05,9000',
    'NSE,999001,10,NEWCO-SM,New Co,INE000A00001,0.01,',
  );
  const reliance = must(changed.find('NSE', 'RELIANCE-BE', NOW), 'RELIANCE-BE');
  assert.ok(
    reliance.kind === 'equity' && reliance.tradeForTrade && reliance.hasDerivatives && reliance.freeze === 9_000,
  );
  assert.equal(changed.find('NSE', 'RELIANCE-EQ', NOW), undefined);
  assert.equal(changed.get(reliance.id)?.companyName, 'Reliance, Limited');
  const fresh = must(changed.find('NSE', 'NEWCO-SM', NOW), 'NEWCO-SM');
  assert.ok((data.facts.factsOf(fresh.id)?.reference ?? 0) > 0);
  assert.deepEqual(
    changed
      .search('new co', 9, NOW)
      .map(({ tradingSymbol }) => tradingSymbol)
      .slice(0, 1),
    ['NEWCO-SM'],
  );
});

test('the forms with a trailing comma and without names are read', () => {
  const noren = 'Exchange,Token,LotSize,Symbol,TradingSymbol,Expiry,Instrument,OptionType,StrikePrice,TickSize,';
  const rows = parseMasterCsv(`${noren}\nNFO,57446,65,NIFTY,NIFTY22DEC26P24300,22-Dec-2026,OPTIDX,PE,24300,0.05,\n`);
  assert.ok(rows.ok, JSON.stringify(rows));
  assert.equal(rows.value[0]?.contract?.option?.strike, 2_430_000);
});

test('every faulty line is reported with its reason, and nothing is taken', () => {
  const errors = errorsOf(
    CASH,
    'NSE,1,1,GOOD-EQ,Good,INE000A00001,0.05,',
    'XSE,2,1,A-EQ,A,INE000A00001,0.05,',
    'NSE,x,1,B-EQ,B,INE000A00001,0.05,',
    'NSE,3,0,C-EQ,C,INE000A00001,0.05,',
    'NSE,4,1,D-EQ,D,INE000A00001,0.005,',
    'NSE,5,1,,E,INE000A00001,0.05,',
    'NSE,6,1,F-EQ,F,INE000A00001,0.05,-5',
    'NSE,7,1,G-EQ,G,INE000A00001,0,',
    'NSE,1,1,H-EQ,H,INE000A00001,0.05,',
    'NSE,9,1,GOOD-EQ,I,INE000A00001,0.05,',
  );
  assert.deepEqual(
    errors.map(({ line }) => line),
    [3, 4, 5, 6, 7, 8, 9, 10, 11],
  );
  const words = [
    /Exchange is "XSE"/,
    /Token is "x"/,
    /LotSize is "0"/,
    /TickSize is "0\.005"/,
    /TradingSymbol is ""/,
    /FreezeQty is "-5"/,
  ];
  [...words, /an index has no ISIN/, /token 1 of NSE is already on line 2/, /already on line 2/].forEach(
    (word, index) => {
      assert.match(errors[index]?.reason ?? '', word);
    },
  );
});

test('faulty contracts are reported by line', () => {
  const errors = errorsOf(
    CONTRACTS,
    'NFO,1,65,NIFTY,NIFTY29DEC26C1,,31-FEB-2026,OPTIDX,CE,24000,0.05,',
    'NFO,2,65,NIFTY,NIFTYX2,,29-DEC-2026,OPTION,CE,24000,0.05,',
    'NFO,3,65,NIFTY,NIFTYX3,,29-DEC-2026,OPTIDX,XX,24000,0.05,',
    'NFO,4,65,NIFTY,NIFTYX4,,29-DEC-2026,OPTIDX,CE,0,0.05,',
    'NFO,5,65,NIFTY,NIFTYX5,,29-DEC-2026,FUTIDX,CE,0,0.05,',
    'NFO,6,65,NIFTY,NIFTY29DEC26C24000,,29-DEC-2026,FUTIDX,XX,0,0.05,',
    'NSE,7,1,NIFTY,NIFTYX7,,29-DEC-2026,FUTIDX,XX,0,0.05,',
    'NFO,8,65,NIFTY,NIFTYX8,,29-DEC-2026,FUTIDX,XX,0,0,',
  );
  assert.deepEqual(
    errors.map(({ line }) => line),
    [2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.deepEqual(errorsOf(CONTRACTS, 'NFO,1,65,NOBODY,NOBODY29DEC26F,,29-DEC-2026,FUTSTK,XX,0,0.05,'), [
    { line: 2, reason: 'NSE has no index or share "NOBODY"' },
  ]);
});

test('a file that is not a symbol file is refused as a whole', () => {
  assert.match(errorsOf('')[0]?.reason ?? '', /header lacks Exchange/);
  assert.match(errorsOf('a,b,c', '1,2,3')[0]?.reason ?? '', /header lacks/);
  assert.match(errorsOf(CASH)[0]?.reason ?? '', /no rows/);
  assert.match(errorsOf(CASH, 'NSE,1,1,"A-EQ,A,INE000A00001,0.05,')[0]?.reason ?? '', /not CSV/);
});

test('an instrument that others stand on keeps its token and its kind', () => {
  const errors = errorsOf(
    CASH,
    'NSE,999993,1,RELIANCE-EQ,Reliance,INE002A01018,0.10,',
    'NSE,999994,1,NIFTY,NIFTY 50,,0,',
    'NSE,26000,1,NEWCO-EQ,New Co,INE000A00001,0.05,',
    'NSE,2885,1,RELIANCE,Reliance,,0,',
  );
  assert.deepEqual(errors, [
    { line: 2, reason: 'RELIANCE-EQ of NSE has the token 2885, which indices or contracts stand on' },
    { line: 3, reason: 'NIFTY of NSE has the token 26000, which indices or contracts stand on' },
    { line: 4, reason: 'token 26000 of NSE is NIFTY, an index' },
    { line: 5, reason: 'token 2885 of NSE is RELIANCE-EQ, a share' },
  ]);
});

test('a built-in share whose symbol goes to another token is known by its own, and by nothing else', () => {
  const built = must(master.find('NSE', '20MICRONS-EQ', NOW), '20MICRONS');
  const changed = imported(CASH, 'NSE,999993,1,20MICRONS-EQ,20 Microns,INE144J01027,0.01,');
  assert.equal(changed.find('NSE', '20MICRONS-EQ', NOW)?.token, 999_993);
  assert.deepEqual(changed.get(built.id), built);
  assert.equal(changed.count(NOW), master.count(NOW));
  assert.ok(![...changed.list('NSE', NOW)].some(({ id }) => id === built.id));
});

test('a delisted instrument is known by its id and by nothing else', () => {
  const share = 'NSE,999994,1,ZZTEST-EQ,Zz Test,INE000A00002,0.05,';
  const future = 'NFO,999996,50,,ZZTEST29DEC26F,,29-DEC-2026,FUTSTK,XX,0,0.05,';
  const cash = parseMasterCsv(`${CASH}\n${share}`);
  const contracts = parseMasterCsv(`${CONTRACTS}\n${future}`);
  assert.ok(cash.ok && contracts.ok);
  const changed = data.master({ delisted: [...cash.value, ...contracts.value] });
  const id = instrumentId('NSE', 999_994);
  assert.equal(changed.get(id)?.tradingSymbol, 'ZZTEST-EQ');
  const contract = must(changed.get(instrumentId('NFO', 999_996)), 'the contract');
  assert.ok(isDerivative(contract) && contract.underlying === id);
  assert.equal(changed.find('NSE', 'ZZTEST-EQ', NOW), undefined);
  assert.equal(changed.find('NFO', 'ZZTEST29DEC26F', NOW), undefined);
  assert.deepEqual(changed.search('zztest', 9, NOW), []);
  assert.equal(changed.count(NOW), master.count(NOW));
  assert.deepEqual(changed.expiries(id, NOW), []);
  assert.ok(changed.hasImportedContracts(id, NOW), 'what is open in it cannot be adjusted');
  assert.ok((data.facts.factsOf(id)?.reference ?? 0) > 0);
});
