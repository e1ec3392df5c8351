/**
 * The rows of a text file of columns, read piece by piece: the memory does not grow with the file. Lines may end with
 * LF or CRLF, a byte order mark and blank lines at the end are let pass, and cells may stand in quotes.
 */
import { paiseOfText, unitsOfText } from '../numbers.ts';
import { Row } from '../row.ts';
import { faultOf, TapeFault } from '../tape-fault.ts';

/** No published form has lines of a hundredth of it. */
const MOST_LINE = 65_536;
const BYTE_ORDER_MARK = '\u00EF\u00BB\u00BF';
const QUOTE = '"';

/** Takes one line after another. */
type TakeLine = (text: string, number: number) => void;

/** Hands over each line of a file. Throws `TapeFault` for bytes that no text has. */
export async function eachLine(document: string, bytes: AsyncIterable<Uint8Array>, take: TakeLine) {
  const lines = new Lines(document, take);
  for await (const piece of bytes) lines.add(piece);
  lines.end();
}

class Lines {
  private readonly document: string;
  private readonly take: TakeLine;
  private rest = '';
  private number = 0;
  private blank = 0;

  constructor(document: string, take: TakeLine) {
    this.document = document;
    this.take = take;
  }

  add(piece: Uint8Array): void {
    // One character stands for each byte; all cells that are read are ASCII.
    const text = this.rest + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.one(text.slice(from, text.charCodeAt(end - 1) === 13 ? end - 1 : end));
      from = end + 1;
    }
    this.rest = from === 0 ? text : text.slice(from);
    if (this.rest.length > MOST_LINE) throw this.tooLong();
  }

  end(): void {
    if (this.rest !== '') this.one(this.rest.endsWith('\r') ? this.rest.slice(0, -1) : this.rest);
    if (this.number - this.blank <= 0) throw faultOf(this.document, 'it is empty');
  }

  private one(line: string): void {
    this.number += 1;
    if (line.length > MOST_LINE) throw this.tooLong();
    if (line.includes('\0')) throw this.fault('it has a byte 0: this is not text');
    const text = this.number === 1 ? withoutMark(line) : line;
    if (text.trim() === '') {
      this.blank += 1;
      return;
    }
    if (this.blank > 0) {
      this.number -= 1;
      throw this.fault('it is blank, and rows follow it');
    }
    this.take(text, this.number);
  }

  private tooLong(): TapeFault {
    this.number += this.rest.length > MOST_LINE ? 1 : 0;
    return this.fault(`it is longer than ${MOST_LINE} bytes`);
  }

  private fault(what: string): TapeFault {
    return new TapeFault(`${this.document}, line ${this.number}: ${what}`);
  }
}

function withoutMark(line: string): string {
  return line.startsWith(BYTE_ORDER_MARK) ? line.slice(BYTE_ORDER_MARK.length) : line;
}

/** A line as a row. One object stands for all lines of a file, one at a time. */
export class TextRow extends Row {
  private cells: readonly string[] = [];
  private number = 0;
  private readonly width: number;

  constructor(document: string, names: readonly string[]) {
    super(document, names);
    this.width = names.length;
  }

  /** Becomes the row of a line, which must have as many cells as the file has columns. */
  read(line: string, number: number): void {
    this.number = number;
    this.cells = cellsOf(line);
    if (this.cells.length === this.width) return;
    throw this.fault(-1, `it has ${counted(this.cells.length)} where the file has ${this.width}`);
  }

  text(column: number): string {
    return (this.cells[column] as string).trim();
  }

  where(): string {
    return `line ${this.number}`;
  }

  copy(): TextRow {
    const same = new TextRow(this.document, this.names);
    same.cells = this.cells;
    same.number = this.number;
    return same;
  }

  protected paise(column: number): number {
    return paiseOfText(this.cells[column] as string);
  }

  protected units(column: number): number {
    return unitsOfText(this.cells[column] as string);
  }
}

function counted(cells: number): string {
  return cells === 1 ? '1 column' : `${cells} columns`;
}

/** The cells of a line; commas inside quotes are part of a cell. */
export function cellsOf(line: string): string[] {
  if (!line.includes(QUOTE)) return line.split(',');
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (const character of line) {
    if (character === QUOTE) quoted = !quoted;
    else if (character === ',' && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
}
