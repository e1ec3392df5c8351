import type { RealFigure } from './verdict.ts';

/** Books, prints and volumes. */
export const REAL_BOOKS: Readonly<Record<string, RealFigure>> = {};
