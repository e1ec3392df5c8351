"""Makes the files of this folder from the collected facts: `python3 data/build.py FACTS`.

FACTS is the folder of source files that SOURCES.md names. Run by hand when facts change; the service reads only the
results. Underlying codes are part of contract tokens, so a code that was given once is kept for ever.
"""

import csv
import math
import statistics
import sys
from pathlib import Path

HERE = Path(__file__).parent
FACTS = Path(sys.argv[1])
TRADING_DAYS = 252
STRIKE_STEPS = {1, 2.5, 5, 10, 20, 25, 50, 100, 250, 500}
SECTORS = [
    ('BANK', ['BANKNIFTY', 'NIFTY PVT BANK', 'NIFTY PSU BANK']),
    ('IT', ['NIFTY IT']),
    ('AUTO', ['NIFTY AUTO']),
    ('FMCG', ['NIFTY FMCG']),
    ('METAL', ['NIFTY METAL']),
    ('PHARMA', ['NIFTY PHARMA']),
    ('REALTY', ['NIFTY REALTY']),
    ('MEDIA', ['NIFTY MEDIA']),
    ('ENERGY', ['NIFTY OIL AND GAS']),
    ('FINANCE', ['FINNIFTY']),
]
# Indices of BSE without weights of their own stand on the members of their nearest relative on NSE.
RELATIVES = {'BANKEX': 'BANKNIFTY', 'SENSEX50': 'NIFTY', 'FOCIT': 'NIFTY IT'}
# Lots of earlier series (market-rules 1.5, R1.21): symbol -> [(first expiry, lot)], None for the lot of the master. See SOURCES.md.
LOT_HISTORY = {
    'NIFTY': [('2019-01-01', 75), ('2026-01-01', None)],
    'BANKNIFTY': [('2019-01-01', 35), ('2026-01-01', None)],
    'FINNIFTY': [('2019-01-01', 65), ('2026-01-01', None)],
    'MIDCPNIFTY': [('2019-01-01', 140), ('2026-01-01', None)],
    'SENSEX': [('2019-01-01', 10), ('2025-01-01', None)],
    'BANKEX': [('2019-01-01', 15), ('2025-01-01', None)],
    'HDFCBANK': [('2019-01-01', 550), ('2026-07-01', None)],
    'ITC': [('2019-01-01', 1600), ('2026-07-01', None)],
    'TATASTEEL': [('2019-01-01', 5500), ('2026-05-01', None)],
    'TCS': [('2019-01-01', 175), ('2026-07-01', None)],
}
# What the exchanges' far expiries (quarterly, half-yearly) step by, seen in the August 2026 masters.
FAR_STEPS = {'NIFTY': 500, 'BANKNIFTY': 500, 'SENSEX': 1000}
LISTED_FROM = {'NIFTYFPI': '2026-08-12'}
UNKNOWN_LEVEL = '10000'
TYPICAL_DAYS = 250
TURNOVER_DAYS = ['NSE_CASH_sec_bhavdata_ALLSERIES_20251114.csv', 'NSE_CASH_sec_bhavdata_EQ_20260821.csv']
# Both days were quiet for large shares: the 24 with candles trade 1.34 times as much on their median day. See SOURCES.md.
QUIET_DAYS = [(1e9, 1.34), (1e8, 1.15), (0, 1)]
# How much of the spread of what is open, in days of volume, is a share's own where its volume is known of two days only. See SOURCES.md.
OWN_PART = 0.77


def rows(name):
    with open(FACTS / name, newline='', encoding='utf-8') as file:
        return list(csv.DictReader(file))


def write(name, header, lines):
    with open(HERE / name, 'w', newline='', encoding='utf-8') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(header)
        out.writerows(lines)


def short(value, places=2):
    """A decimal without trailing zeros."""
    text = f'{float(value):.{places}f}'
    return text.rstrip('0').rstrip('.') if '.' in text else text


def log_returns(path):
    with open(path, newline='', encoding='utf-8') as file:
        candles = list(csv.DictReader(file))
    by_day = {}
    for previous, candle in zip(candles, candles[1:]):
        base = float(candle.get('prevClose') or previous['close'])
        move = math.log(float(candle['close']) / base)
        if abs(move) < 0.2:
            by_day[candle['date']] = move
    return by_day


def betas():
    """Beta against NIFTY of the stocks whose daily candles are on record."""
    market = log_returns(FACTS / 'candles/1d_NIFTY_2022_20260821.csv')
    result = {}
    for path in sorted((FACTS / 'candles').glob('1d_*_20240101_20260821.csv')):
        own = log_returns(path)
        days = sorted(set(own) & set(market))
        x = [market[day] for day in days]
        y = [own[day] for day in days]
        result[path.name.split('_')[1]] = statistics.covariance(x, y) / statistics.variance(x)
    return result


def volatilities():
    """Annual volatility of the stocks and indices whose daily sigma is on record: sigma times the root of 252."""
    root = math.sqrt(TRADING_DAYS)
    stocks = {r['symbol']: float(r['sigmaDailyEwma995']) * root for r in rows('span/stock_psr_estimates_20260821.csv')}
    indices = {}
    for r in rows('span/volatility_index_2023_20260731.csv'):
        indices[r['symbol']] = float(r['sigma_underlying']) * root
    return stocks, indices


def cash_tick(exchange, close):
    if exchange == 'BSE':
        return 0.01 if close < 100 else 0.05
    for limit, tick in ((249.99, 0.01), (1000, 0.05), (5000, 0.1), (10000, 0.5), (20000, 1)):
        if close <= limit:
            return tick
    return 5


def fund_figures(name, symbol):
    """Volatility and beta of a listed fund by what its name says it holds."""
    text = f'{name} {symbol}'.upper()
    if any(word in text for word in ('LIQUID', 'LIQ', 'CASH', 'OVERNIGHT', '1D RATE', 'MONEY')):
        return 0.01, 0
    if any(word in text for word in ('GILT', 'GSEC', 'BBETF', 'BHARATBOND', 'SDL', 'BOND')):
        return 0.04, 0
    if 'SILVER' in text:
        return 0.30, 0.1
    if 'GOLD' in text:
        return 0.17, 0
    return 0.17, 0.95


def equity_figures(row, series, close, volume, fund):
    """Volatility and beta of an equity without candles: by kind, then by turnover class. See SOURCES.md."""
    if fund:
        return fund_figures(row['companyName'], row['symbol'])
    if series in ('IV', 'RR', 'IF'):
        return 0.16, 0.3
    turnover = close * volume
    if series in ('SM', 'ST', 'SZ', 'M', 'MT', 'MS'):
        volatility = 0.55
    elif turnover >= 1e9:
        volatility = 0.36
    elif turnover >= 1e8:
        volatility = 0.42
    elif turnover >= 1e7:
        volatility = 0.47
    else:
        volatility = 0.52
    if close < 10:
        volatility += 0.1
    # Half of a thinly followed stock's movement against the market's 14 % a year, less for the thin ones.
    correlation = 0.42 if turnover >= 1e8 else 0.3
    return volatility, correlation * volatility / 0.14


def median_volumes():
    """The median daily units of the last 250 days of the shares whose daily candles are on record, in the units after
    every split: an open at half the close before or less is one."""
    result = {}
    for path in sorted((FACTS / 'candles').glob('1d_*_20240101_20260821.csv')):
        with open(path, newline='', encoding='utf-8') as file:
            candles = list(csv.DictReader(file))
        units, factor, following = [], 1, None
        for candle in reversed(candles[-TYPICAL_DAYS:]):
            if following:
                ratio = round(float(candle['close']) / float(following['open']))
                factor *= max(ratio, 1)
            units.append(float(candle['volume']) * factor)
            following = candle
        result[path.name.split('_')[1]] = statistics.median(units)
    return result


def day_turnovers(name):
    """What each share traded for on one day of NSE, in rupees: by symbol, its series added up."""
    result = {}
    with open(FACTS / 'candles' / name, newline='', encoding='utf-8') as file:
        for r in csv.DictReader(file, skipinitialspace=True):
            if r['TURNOVER_LACS'].strip() not in ('', '-'):
                result[r['SYMBOL']] = result.get(r['SYMBOL'], 0) + float(r['TURNOVER_LACS']) * 1e5
    return result


def typical_volumes():
    """
    Units of a typical day of NSE by symbol, given the close: the median of 250 days where they are on record. Of other shares the geometric mean of what
    they traded for on two days, times what the class of turnover trades on more days than those (QUIET_DAYS).
    """
    medians = median_volumes()
    days = [day_turnovers(name) for name in TURNOVER_DAYS]

    def typical(symbol, close):
        if symbol in medians:
            return round(medians[symbol])
        traded = [day[symbol] for day in days if day.get(symbol, 0) > 0]
        if not traded:
            return 0
        turnover = math.exp(statistics.mean(math.log(value) for value in traded))
        return round(turnover * quiet_days(turnover) / close)

    return typical


def quiet_days(turnover):
    return next(factor for least, factor in QUIET_DAYS if turnover >= least)


def default_volume(close, lot):
    """Half a million rupees' worth, in whole lots."""
    return max(lot, round(500_000 / close / lot) * lot)


def whole_lots(units, lot):
    return round(units / lot) * lot


def sector_of(weights):
    result = {}
    for sector, indices in SECTORS:
        for r in weights:
            if r['index'] in indices:
                result.setdefault(r['symbol'], sector)
    return result


def daily_candles():
    return {path.name.split('_')[1]: path for path in sorted((FACTS / 'candles').glob('1d_*_20240101_20260821.csv'))}


def delivered_shares():
    """The part of the traded units that is delivered, by symbol: the median of 250 days where they are on record, else two days added up."""
    traded, delivered = {}, {}
    for name in TURNOVER_DAYS:
        for r in stripped(rows(f'candles/{name}')):
            if r['DELIV_QTY'] in ('', '-'):
                continue
            traded[r['SYMBOL']] = traded.get(r['SYMBOL'], 0) + float(r['TTL_TRD_QNTY'])
            delivered[r['SYMBOL']] = delivered.get(r['SYMBOL'], 0) + float(r['DELIV_QTY'])
    result = {symbol: delivered[symbol] / units for symbol, units in traded.items() if units}
    for symbol, path in daily_candles().items():
        with open(path, newline='', encoding='utf-8') as file:
            days = list(csv.DictReader(file))[-TYPICAL_DAYS:]
        result[symbol] = statistics.median(float(r['deliveryQty']) / float(r['volume']) for r in days)
    return result


def closes_in_present_terms(path):
    """The closes of a share with daily candles by date, with what it was split into since taken off."""
    with open(path, newline='', encoding='utf-8') as file:
        candles = list(csv.DictReader(file))
    result, factor, following = {}, 1, None
    for candle in reversed(candles):
        if following:
            factor *= max(round(float(candle['close']) / float(following['open'])), 1)
        result[candle['date']] = float(candle['close']) / factor
        following = candle
    return result


def open_values():
    """Rupees that are open in all futures on a share, by date of two days and by symbol."""
    first, second = {}, {}
    for r in rows('candles/NSE_FO_UDiFF_20250911.csv'):
        if r['FinInstrmTp'] == 'STF':
            first[r['TckrSymb']] = first.get(r['TckrSymb'], 0) + float(r['OpnIntrst']) * float(r['SttlmPric'])
    for row in rows('candles/NSE_FO_PR_fo17112025.csv'):
        r = {column.strip(): value.strip() for column, value in row.items() if column and value}
        if r['INSTRUMENT'] == 'FUTSTK':
            value = float(r['OPEN_INT*']) * float(r['CLOSE_PRICE'])
            second[r['SYMBOL']] = second.get(r['SYMBOL'], 0) + value
    return {'2025-09-11': first, '2025-11-17': second}


def write_open_interest():
    """Of each share with contracts: the part of its volume that is delivered, and the open units of its futures as days of its volume."""
    shares = {r['token']: r for r in rows('nse_equities.csv')}
    typical, delivered, values, candles = typical_volumes(), delivered_shares(), open_values(), daily_candles()
    lines = []
    for r in rows('fno_underlyings.csv'):
        if r['exchange'] != 'NFO' or r['underlyingType'] == 'INDEX':
            continue
        close = float(shares[r['underlyingToken']]['refClose'])
        units = typical(r['symbol'], close)
        closes = closes_in_present_terms(candles[r['symbol']]) if r['symbol'] in candles else {}
        days = [
            math.log(day[r['symbol']] / (units * closes.get(date, close)))
            for date, day in values.items() if day.get(r['symbol'])
        ]
        lines.append((r['underlyingToken'], r['symbol'], delivered.get(r['symbol']), statistics.mean(days) if days else None))
    usual = statistics.median(days for *_, days in lines if days is not None)
    share = statistics.median(part for _, _, part, _ in lines if part is not None)
    own = lambda symbol: 1 if symbol in candles else OWN_PART
    write('open-interest.csv', ['token', 'symbol', 'delivered', 'openDays'], [
        [token, symbol, short(share if part is None else part, 3),
         short(math.exp(usual if days is None else usual + own(symbol) * (days - usual)), 1)]
        for token, symbol, part, days in sorted(lines, key=lambda line: line[1])
    ])


def write_equities(stock_volatility, beta, sectors):
    nse_header = ['token', 'symbol', 'series', 'name', 'isin', 'lot', 'tick', 'close', 'closed', 'volume', 'volatility', 'beta', 'sector']
    nse, bse = rows('nse_equities.csv'), rows('bse_equities.csv')
    typical = typical_volumes()
    bse_close = {r['isin']: r for r in bse if r['refClose']}
    nse_close = {r['token']: r for r in nse if r['refClose']}
    lines = []
    for r in nse:
        close, closed = r['refClose'], r['refDate']
        if not close and r['isin'] in bse_close:
            close, closed = bse_close[r['isin']]['refClose'], bse_close[r['isin']]['refDate']
        value = float(close) if close else float(r['faceValue'] or 10)
        lot = int(float(r['lotSize']))
        volume = whole_lots(typical(r['symbol'], value), lot) or default_volume(value, lot)
        fund = r['kind'] == 'ETF_OR_FUND'
        vol, b = equity_figures(r, r['series'], value, volume, fund)
        vol = stock_volatility.get(r['symbol'], vol)
        if r['symbol'] in stock_volatility:
            b = 0.5 * vol / 0.14
        b = beta.get(r['symbol'], b)
        tick = '' if float(r['tickSize']) == cash_tick('NSE', value) else short(r['tickSize'])
        lines.append([r['token'], r['symbol'], r['series'], r['companyName'], r['isin'], lot, tick, short(value), closed or '',
                      volume, short(vol, 3), short(b, 2), sectors.get(r['symbol'], '')])
    write('equities-nse.csv', nse_header, lines)

    header = ['token', 'symbol', 'group', 'name', 'isin', 'lot', 'tick', 'close', 'closed', 'volume', 'volatility', 'beta', 'nseToken']
    lines = []
    for r in bse:
        twin = nse_close.get(r['nseToken'])
        close, closed = r['refClose'], r['refDate']
        if not close and twin:
            close, closed = twin['refClose'], twin['refDate']
        value = float(close) if close else float(r['faceValue'] or 10)
        lot = int(float(r['lotSize']))
        traded = float(r['dayVolume'] or 0)
        elsewhere = typical(twin['symbol'], value) * value if twin else 0
        volume = whole_lots(traded * quiet_days(elsewhere), lot) or default_volume(value, lot)
        vol, b = equity_figures(r, r['group'], value, volume, r['kind'] == 'ETF_OR_FUND')
        tick = '' if float(r['tickSize']) == cash_tick('BSE', value) else short(r['tickSize'])
        own = ['', ''] if r['nseToken'] else [short(vol, 3), short(b, 2)]
        lines.append([r['token'], r['symbol'], r['group'], r['companyName'], r['isin'], lot, tick, short(value), closed or '', volume,
                      *own, r['nseToken']])
    write('equities-bse.csv', header, lines)


BOND_TICK = 0.01
# Rupees of one unit of government paper.
GOVERNMENT_FACE = 100
NSE_BOND_SERIES = ('GB', 'GS')
BSE_BOND_GROUPS = ('F', 'G')


def stripped(table):
    return [{column: value.strip() for column, value in row.items()} for row in table]


def is_gold_bond(symbol):
    return symbol.startswith('SGB')


def house_isin(exchange, token):
    """The masters of bonds state no ISIN. Ours begin with XN on NSE and XB on BSE, which are no countries."""
    return f'X{exchange[0]}{int(token):010d}'


def bond_figures(name, symbol, fund):
    """Volatility and beta: gold bonds move as gold, other bonds as bonds, funds by their names."""
    if is_gold_bond(symbol):
        return 0.17, 0
    return fund_figures(name, symbol) if fund else (0.04, 0)


def bond_line(r):
    """One bond in the columns that both exchanges share; a blank tick means what the rule says, as for shares."""
    value = float(r['close'])
    lot = int(float(r['lot']))
    volume = int(float(r['volume'] or 0)) or default_volume(value, lot)
    tick = '' if cash_tick(r['exchange'], value) == BOND_TICK else short(BOND_TICK)
    return [r['token'], r['symbol'], r['series'], r['name'], r['isin'], lot, tick, short(value), r['closed'], volume]


def bse_bonds():
    """What traded on BSE in the groups of debt. The master of shares leaves these groups out."""
    listed = {r['token'] for r in rows('bse_equities.csv')}
    nse_tokens = {r['isin']: r['token'] for r in rows('nse_equities.csv') if r['isin']}
    bonds = []
    for r in stripped(rows('candles/BSE_CASH_UDiFF_20260820.csv')):
        if r['FinInstrmId'] in listed or r['SctySrs'] not in BSE_BOND_GROUPS:
            continue
        bonds.append({'exchange': 'BSE', 'token': r['FinInstrmId'], 'symbol': r['TckrSymb'], 'series': r['SctySrs'],
                      'name': r['FinInstrmNm'], 'isin': r['ISIN'], 'lot': r['NewBrdLotQty'], 'close': r['ClsPric'],
                      'closed': r['TradDt'], 'volume': r['TtlTradgVol'], 'nseToken': nse_tokens.get(r['ISIN'], '')})
    return bonds


def nse_bonds(on_bse):
    """Government bonds and gold bonds of the master. A gram of gold costs the same in each gold bond, so a close that is missing or old is theirs."""
    traded = {}
    for r in stripped(rows('candles/NSE_CASH_sec_bhavdata_ALLSERIES_20251114.csv')):
        traded[(r['SYMBOL'], r['SERIES'])] = r
    twins = {r['symbol']: r for r in on_bse if r['series'] == 'G'}
    gold = [float(r['close']) for r in on_bse if is_gold_bond(r['symbol'])]
    bonds = []
    for r in rows('symbols_sample_NSE.csv'):
        symbol, series = r['Symbol'], r['Instrument']
        if series not in NSE_BOND_SERIES:
            continue
        own, twin = traded.get((symbol, series)), twins.get(symbol)
        if twin:
            close, closed = twin['close'], twin['closed']
        elif is_gold_bond(symbol):
            close, closed = statistics.median(gold), ''
        elif own:
            close, closed = own['CLOSE_PRICE'], '2025-11-14'
        else:
            close, closed = GOVERNMENT_FACE, ''
        bonds.append({'exchange': 'NSE', 'token': r['Token'], 'symbol': symbol, 'series': series,
                      'name': twin['name'] if twin else symbol, 'isin': twin['isin'] if twin else house_isin('NSE', r['Token']),
                      'lot': r['LotSize'], 'close': close, 'closed': closed, 'volume': own['TTL_TRD_QNTY'] if own else ''})
    return bonds


def write_bonds():
    """Debt beside the shares, in files of its own and in their columns."""
    traded_on_bse = bse_bonds()
    on_nse = nse_bonds(traded_on_bse)
    nse_tokens = {r['isin']: r['token'] for r in on_nse}
    lines = []
    for r in on_nse:
        volatility, beta = bond_figures(r['name'], r['symbol'], False)
        lines.append([*bond_line(r), short(volatility, 3), short(beta, 2), ''])
    write('bonds-nse.csv', ['token', 'symbol', 'series', 'name', 'isin', 'lot', 'tick', 'close', 'closed', 'volume',
                            'volatility', 'beta', 'sector'], lines)
    lines = []
    for r in traded_on_bse:
        nse_token = r['nseToken'] or nse_tokens.get(r['isin'], '')
        volatility, beta = bond_figures(r['name'], r['symbol'], r['isin'].startswith('INF'))
        own = ['', ''] if nse_token else [short(volatility, 3), short(beta, 2)]
        lines.append([*bond_line(r), *own, nse_token])
    write('bonds-bse.csv', ['token', 'symbol', 'group', 'name', 'isin', 'lot', 'tick', 'close', 'closed', 'volume',
                            'volatility', 'beta', 'nseToken'], lines)


def index_symbol(row, equities):
    """The exchange's name without spaces; a full name where a share has the symbol."""
    symbol = row['symbol'].replace(' ', '').upper()
    if symbol == 'NIFTYSERVSECTOR':
        return 'NIFTYSERV'
    return row['idxname'].upper() if row['exchange'] == 'BSE' and symbol in equities else symbol


def write_indices(index_volatility):
    equities = {r['symbol'] for r in rows('bse_equities.csv')}
    relatives = {'SENSEX': 'NIFTY', 'SENSEX50': 'NIFTY', 'BANKEX': 'BANKNIFTY'}
    lines = []
    for r in rows('indices.csv'):
        symbol = index_symbol(r, equities)
        fixed = any(word in r['idxname'] for word in (' GS ', 'BHARATBOND'))
        leverage = 2 if '2X LEV' in r['idxname'] else -1 if '1X INV' in r['idxname'] else 1
        volatility = 0.04 if fixed else index_volatility.get(relatives.get(symbol, symbol), 0.16 * abs(leverage))
        beta = 0 if fixed else leverage
        if symbol == 'INDIAVIX':
            volatility, beta = 0.8, -3.5
        if symbol == 'FOCIT' or symbol == 'NIFTYIT':
            volatility = 0.22
        names = {r['idxname'], r['symbol'], r['norenSymbol'], r['norenTradingSymbol']} - {''}
        aliases = sorted({name.upper() for name in names} - {symbol, r['idxname'].upper()} - equities)
        lines.append([r['exchange'], r['token'], symbol, r['idxname'], '|'.join(aliases), short(r['level'] or UNKNOWN_LEVEL),
                      r['levelDate'], short(volatility, 3), short(beta, 1)])
    write('indices.csv', ['exchange', 'token', 'symbol', 'name', 'aliases', 'level', 'closed', 'volatility', 'beta'], lines)


def write_weights(weights):
    tokens = {(r['exchange'], r['symbol']): r['token'] for r in rows('indices.csv')}
    by_index = {}
    for r in weights:
        by_index.setdefault(r['index'], []).append(r)
    for index, relative in RELATIVES.items():
        by_index[index] = by_index[relative]
    lines = []
    for index, members in by_index.items():
        exchange = 'BSE' if ('BSE', index) in tokens else 'NSE'
        column = 'bseToken' if exchange == 'BSE' else 'nseToken'
        for r in members:
            if r[column]:
                lines.append([exchange, tokens[(exchange, index)], r[column], short(r['weightPct'])])
    write('index-weights.csv', ['exchange', 'index', 'token', 'weight'], lines)


def strike_unit(kind, spot, step):
    """The grid on which every strike of an underlying lies for ever: 16,383 units reach at least 30 times the price."""
    if kind == 'INDEX':
        return step
    for limit, unit in ((273, 0.5), (1365, 2.5), (5461, 10), (27306, 50)):
        if spot <= limit:
            return unit
    return 250


def step_by_rule(spot):
    for limit, step in ((50, 1), (100, 1), (250, 2.5), (500, 5), (1000, 10), (2500, 20), (5000, 50), (10000, 100)):
        if spot <= limit:
            return step
    return 250


def given_codes():
    path = HERE / 'underlyings.csv'
    if not path.exists():
        return {}
    with open(path, newline='', encoding='utf-8') as file:
        return {(r['exchange'], r['symbol']): (int(r['code']), r['unit']) for r in csv.DictReader(file)}


def tick_by_rule(exchange, kind, contract, spot):
    if contract == 'option':
        return 0.01 if kind == 'STOCK' and exchange == 'NFO' and spot < 250 else 0.05
    if exchange == 'BFO':
        return 0.05
    if kind == 'STOCK':
        return cash_tick('NSE', spot)
    return 0.05 if spot <= 15000 else 0.1 if spot <= 30000 else 0.2


def cash_closes():
    closes = {(r['exchange'], r['token']): r['level'] for r in rows('indices.csv')}
    closes.update({('NSE', r['token']): r['refClose'] for r in rows('nse_equities.csv')})
    closes.update({('BSE', r['token']): r['refClose'] for r in rows('bse_equities.csv')})
    return closes


def write_underlyings():
    given = given_codes()
    closes = cash_closes()
    following = {e: max([code for (x, _), (code, _) in given.items() if x == e], default=0) for e in ('NFO', 'BFO')}
    lines, lots, freezes = [], [], []
    source = rows('fno_underlyings.csv')
    nfo = {r['symbol']: r for r in source if r['exchange'] == 'NFO'}
    for r in source:
        exchange, symbol, kind = r['exchange'], r['symbol'], r['underlyingType']
        if r['underlyingExchange'] != {'NFO': 'NSE', 'BFO': 'BSE'}[exchange]:
            continue
        spot = float(closes[(r['underlyingExchange'], r['underlyingToken'])])
        step = float(r['strikeStepMonthly'] or r['strikeStepNear'] or 0)
        code, unit = given.get((exchange, symbol), (0, ''))
        if code == 0:
            following[exchange] += 1
            code = following[exchange]
        unit = unit or short(strike_unit(kind, spot, step))
        stated = kind == 'INDEX' or (step in STRIKE_STEPS and step != step_by_rule(spot) and (step / float(unit)).is_integer())
        ticks = [
            '' if float(r[column]) == tick_by_rule(exchange, kind, contract, spot) else short(r[column])
            for column, contract in (('optTick', 'option'), ('futTick', 'future'))
        ]
        lines.append([exchange, code, symbol, 'index' if kind == 'INDEX' else 'equity', r['underlyingToken'], unit,
                      short(step) if stated else '', FAR_STEPS.get(symbol, ''), *ticks, LISTED_FROM.get(symbol, '')])
        for start, lot in LOT_HISTORY.get(symbol, [('2019-01-01', None)]):
            lots.append([exchange, symbol, start, lot or r['lotSize']])
        freeze = r['freezeQty'] or r['freezeQtyOptBroker'] or nfo[symbol]['freezeQty']
        if kind == 'INDEX' and r['freezeQtyApr2026'] and r['freezeQtyApr2026'] != freeze:
            freezes.append([exchange, symbol, '2026-04-01', r['freezeQtyApr2026']])
            freezes.append([exchange, symbol, '2026-08-03', freeze])
        else:
            freezes.append([exchange, symbol, '2026-04-01', freeze])
    freezes.append(['NSE', 'IDEA-EQ', '2026-04-01', 15059681])
    write('underlyings.csv', ['exchange', 'code', 'symbol', 'kind', 'token', 'unit', 'step', 'farStep', 'optionTick',
                              'futureTick', 'listedFrom'], lines)
    write('lots.csv', ['exchange', 'symbol', 'firstExpiry', 'lot'], lots)
    write('freeze.csv', ['exchange', 'symbol', 'from', 'quantity'], freezes)


def write_calendar():
    holidays, specials = [], []
    for r in rows('holidays.csv'):
        if r['exchange'] not in ('NSE', 'BSE'):
            continue
        if r['type'] == 'TRADING_HOLIDAY':
            holidays.append([r['exchange'], r['date'], r['name'], 'estimated' if r['status'] == 'ESTIMATE' else 'announced'])
        elif r['type'] == 'SPECIAL_SESSION':
            specials.append([r['exchange'], r['date'], r['session'].replace(',', '|').replace('09:00-', '09:15-'), r['name'].replace(',', '')])
    write('holidays.csv', ['exchange', 'date', 'name', 'status'], holidays)
    write('special-sessions.csv', ['exchange', 'date', 'sessions', 'name'], specials)


def main():
    weights = rows('index_weights.csv')
    stock_volatility, index_volatility = volatilities()
    write_equities(stock_volatility, betas(), sector_of(weights))
    write_bonds()
    write_indices(index_volatility)
    write_weights(weights)
    write_underlyings()
    write_open_interest()
    write_calendar()


main()
