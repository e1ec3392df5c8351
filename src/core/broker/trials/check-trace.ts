import type { Refusal } from '../../refusals/refusal.ts';

/** What a figure is counted in: paise, units of the instrument, or words. */
export type FigureKind = 'paise' | 'units' | 'text';

/** Something that a check looked at, as it was at that moment. */
export interface Figure {
  readonly name: string;
  readonly kind: FigureKind;
  readonly value: number | string;
}

/** One check of the published order, as it went for one wish. */
export interface CheckFinding {
  readonly name: string;
  /** The rule that it comes from. */
  readonly source: string;
  readonly figures: readonly Figure[];
  /** `unasked`: a check before it had refused already, or it is asked of clients and the risk desk squares off. */
  readonly outcome: 'passed' | 'refused' | 'unasked';
}

/** What a check tells of itself to whoever listens. */
export interface Trace {
  note(name: string, kind: FigureKind, value: number | string): void;
}

/** Keeps what the checks tell, in their order. */
export class CheckTrace implements Trace {
  private readonly found: CheckFinding[] = [];
  private figures: Figure[] = [];

  note(name: string, kind: FigureKind, value: number | string): void {
    this.figures.push({ name, kind, value });
  }

  /** A check has answered: what was noted since the last one is its own. */
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
