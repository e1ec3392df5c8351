import type { RealFigure } from './verdict.ts';

/** Futures and options. */
export const REAL_CONTRACTS: Readonly<Record<string, RealFigure>> = {};
