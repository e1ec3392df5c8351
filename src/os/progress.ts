/** Notes how far a piece of work is: `done` of `of`. It may be called very often. */
export type Progress = (done: number, of: number) => void;

/** Begins a part of long work: its name, as `checking the journal`, and the unit in which it is counted. */
export type BeginPart = (what: string, unit: string) => Progress;

/** Nobody watches. */
export const UNWATCHED: BeginPart = () => () => undefined;
