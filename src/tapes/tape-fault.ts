import { withoutControls } from '../base/printable.ts';

/**
 * The first fault of a file that is imported, with its place: file, entry, line or row, column. Its words have parts of
 * the file, so controls in them are escaped.
 */
export class TapeFault extends Error {
  override readonly name = 'TapeFault';

  constructor(what: string) {
    super(withoutControls(what));
  }
}

/** A fault of a whole file, or of an entry of an archive. */
export function faultOf(file: string, what: string): TapeFault {
  return new TapeFault(`${file}: ${what}`);
}
