import type { RealFigure } from '../verdict.ts';

/**
 * Books, prints and volumes. Trades and units by class are medians of two days, with a quarter to both sides: two
 * standard errors of a median of 24 shares. Spreads of futures are those of one hour, with 30 %.
 */
export const REAL_BOOKS: Readonly<Record<string, RealFigure>> = {
  'volume.memory': { text: 'shares: ac1 of log daily volume, median of 24', real: [0.44, 0.51], source: 'C' },
  'volume.withRange': { text: 'shares: log daily volume with range, median of 24', real: [0.57, 0.6], source: 'C' },
  'volume.spread': { text: 'shares: sd of log daily volume, median of 24', real: [0.51, 0.7], source: 'C' },
  'volume.together': {
    text: 'shares: daily volumes of two, beside their trends, median',
    real: 0.32,
    source: 'C',
    chance: 0.03,
  },
  'volume.level': { text: 'shares: median daily volume over the real one, median of 24', real: 1, source: 'C' },
  'volume.lowest': { text: 'shares: the lowest of those 24', real: [0.7, 1.15], source: 'C' },
  'volume.highest': { text: 'shares: the highest of those 24', real: [0.85, 1.4], source: 'C' },
  'volume.minutes': { text: 'shares: log minute volume with |move|', real: [0.24, 0.42], source: 'R' },
  'volume.first15': { text: 'shares: volume of the first 15 minutes', real: [0.05, 0.1], source: 'R' },
  'volume.first60': { text: 'shares: volume of the first hour', real: [0.14, 0.25], source: 'R' },
  'volume.noonHour': { text: 'shares: volume of the noon hour', real: [0.1, 0.14], source: 'R' },
  'volume.last30': { text: 'shares: volume of the last half hour', real: [0.11, 0.24], source: 'R' },

  'trades.100cr': { text: 'trades of a day, turnover above INR 100 crore', real: [44_025, 78_071], source: 'V' },
  'trades.10cr': { text: 'trades of a day, 10 to 100 crore', real: [10_950, 19_418], source: 'V' },
  'trades.1cr': { text: 'trades of a day, 1 to 10 crore', real: [2_306, 4_090], source: 'V' },
  'trades.10L': { text: 'trades of a day, 10 lakh to 1 crore', real: [450, 798], source: 'V' },
  'trades.1L': { text: 'trades of a day, 1 to 10 lakh', real: [86, 153], source: 'V' },
  'units.10cr': { text: 'shares a trade, 10 to 100 crore', real: [26, 45], source: 'V' },
  'units.1cr': { text: 'shares a trade, 1 to 10 crore', real: [30, 53], source: 'V' },
  'units.10L': { text: 'shares a trade, 10 lakh to 1 crore', real: [44, 77], source: 'V' },
  'units.1L': { text: 'shares a trade, 1 to 10 lakh', real: [57, 101], source: 'V' },
  'prints.round': { text: 'trades of ten or more whose size ends in 0', real: [0.15, 0.6], source: 'X' },
  'prints.offTick': { text: 'trades off the tick', real: [0, 0], source: 'X' },
  'futures.gaps': { text: 'stock futures: gaps of trades, sd over mean', real: [1.1, 1.7], source: 'T' },
  'futures.fano': { text: 'stock futures: Fano factor of a minute', real: [1.2, 4], source: 'T' },
  'futures.sides': { text: 'stock futures: ac1 of the sides of trades', real: [0.07, 0.28], source: 'T' },

  'spread.RELIANCE': { text: 'future of RELIANCE, spread, bp', real: [1.8, 3.4], source: 'T' },
  'spread.TCS': { text: 'future of TCS, spread, bp', real: [1.6, 3.0], source: 'T' },
  'spread.TRENT': { text: 'future of TRENT, spread, bp', real: [2.1, 3.9], source: 'T' },
  'spread.MCX': { text: 'future of MCX, spread, bp', real: [4.7, 8.7], source: 'T' },
  'spread.option': { text: 'NIFTY option at the money, spread, %', real: 0.2, source: 'T', chance: 0.04 },
  'book.variation': { text: 'stock futures: first level, sd over mean of units', real: [0.54, 1], source: 'T' },
  'book.cheap': { text: 'options at a rupee or less: first level, median units', real: 4_500, source: 'T' },
  'book.cheapMean': { text: 'options at a rupee or less: first level, mean units', real: 91_000, source: 'T' },
  'book.ordersVariation': { text: 'orders of the five best levels, sd over mean', real: [0.43, 1.66], source: 'T' },
  'book.ordersWithSize': { text: 'orders of a level with its units, logs', real: [0.3, 1], source: 'X' },
  'book.hours': {
    text: 'RELIANCE at 11:00, first level over that in exchange hours',
    real: 1,
    source: 'X',
    only: 'always',
  },
};
