import type { Refusal } from '../../refusals/refusal.ts';

/** The unit of a figure: paise, units of the instrument, or words. */
export type FigureKind = 'paise' | 'units' | 'text';

/** A figure that a check looked at, as it was at that moment. */
export interface CheckedFigure {
  readonly name: string;
  readonly kind: FigureKind;
  readonly value: number | string;
}

/** The result of one check for one wish. */
export interface CheckFinding {
  readonly name: string;
  /** The rule that it comes from. */
  readonly source: string;
  readonly figures: readonly CheckedFigure[];
  /**
   * `unasked`: an earlier check had refused already, or the check is for clients alone and the risk desk squares off.
   */
  readonly outcome: 'passed' | 'refused' | 'unasked';
}

/** Takes the figures that a check looks at. */
export interface Trace {
  note(name: string, kind: FigureKind, value: number | string): void;
}

/** Keeps the checks and their figures in the order of asking. */
export class CheckTrace implements Trace {
  private readonly found: CheckFinding[] = [];
  private figures: CheckedFigure[] = [];

  note(name: string, kind: FigureKind, value: number | string): void {
    this.figures.push({ name, kind, value });
  }

  /** A check has answered: the figures noted since the last check are its own. */
  answered(name: string, source: string, refusal: Refusal | undefined): void {
    this.found.push({ name, source, figures: this.figures, outcome: refusal === undefined ? 'passed' : 'refused' });
    this.figures = [];
  }

  unasked(name: string, source: string): void {
    this.found.push({ name, source, figures: [], outcome: 'unasked' });
  }

  get findings(): readonly CheckFinding[] {
    return this.found;
  }
}
