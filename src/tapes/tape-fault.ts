/** The first fault of a file that is imported, with its place: file, entry, line or row, column. */
export class TapeFault extends Error {
  override readonly name = 'TapeFault';
}

/** A fault of a whole file, or of an entry of an archive. */
export function faultOf(file: string, what: string): TapeFault {
  return new TapeFault(`${file}: ${what}`);
}
