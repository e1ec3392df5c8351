/**
 * Reads an XML document piece by piece against the form of its root and fills a draft. The first fault, of XML or of
 * the form, ends the reading: the text after it is ignored. The elements of SPAN files are named in
 * `span-form.ts`, not here.
 */
import { SaxesParser } from 'saxes';
import { fail, ok, type Result } from '../../base/result.ts';

/**
 * Where a file is wrong, and how. Lines and columns count from 1; of an element with a wrong content it is where that
 * begins.
 */
export interface SpanFault {
  readonly line: number;
  readonly column: number;
  /** The names from the root to the element, with `/` between. */
  readonly element: string;
  readonly reason: string;
}

/** The effect of an element on `Draft`, the file as far as it is read. Elements that no form names are passed over. */
export interface ElementForm<Draft> {
  readonly children?: Readonly<Record<string, ElementForm<Draft>>>;
  /** The element begins. */
  readonly open?: (draft: Draft) => void;
  /** The element had this text, blanks around it taken off. The answer says what is wrong with it. */
  readonly text?: (draft: Draft, text: string) => string | undefined;
  /** The element ended. The answer says what it lacks. */
  readonly close?: (draft: Draft) => string | undefined;
}

interface OpenElement<Draft> {
  readonly name: string;
  readonly form: ElementForm<Draft>;
  readonly line: number;
  readonly column: number;
}

/** Ends the parser's work at the first fault. */
class Damaged extends Error {
  override readonly name = 'Damaged';
  readonly fault: SpanFault;

  constructor(fault: SpanFault) {
    super(fault.reason);
    this.fault = fault;
  }
}

export class ElementReader<Draft> {
  private readonly draft: Draft;
  private readonly root: string;
  private readonly rootForm: ElementForm<Draft>;
  private readonly parser = new SaxesParser({ position: true });
  private readonly stack: OpenElement<Draft>[] = [];
  /** How many elements deep the passed over one is. */
  private passedOver = 0;
  private text = '';
  private fault: SpanFault | undefined;

  constructor(draft: Draft, root: string, rootForm: ElementForm<Draft>) {
    this.draft = draft;
    this.root = root;
    this.rootForm = rootForm;
    this.parser.on('error', (error) => this.stop(wordsOf(error)));
    this.parser.on('doctype', () => this.stop('a document type is not read'));
    this.parser.on('opentag', ({ name }) => this.open(name));
    this.parser.on('text', (text) => {
      if (this.passedOver === 0) this.text += text;
    });
    this.parser.on('closetag', () => this.close());
  }

  /** Takes the next piece. */
  write(text: string): void {
    this.guarded(() => this.parser.write(text));
  }

  /** The document has ended. */
  finish(): Result<Draft, SpanFault> {
    this.guarded(() => this.parser.close());
    return this.fault === undefined ? ok(this.draft) : fail(this.fault);
  }

  /** The first fault so far. */
  get damage(): SpanFault | undefined {
    return this.fault;
  }

  private guarded(work: () => void): void {
    if (this.fault !== undefined) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      this.fault = error.fault;
    }
  }

  private open(name: string): void {
    const form = this.formOf(name);
    if (form === undefined) {
      this.passedOver += 1;
      return;
    }
    const { line, column } = this.parser;
    this.stack.push({ name, form, line, column: column + 1 });
    this.text = '';
    form.open?.(this.draft);
  }

  private formOf(name: string): ElementForm<Draft> | undefined {
    if (this.passedOver > 0) return undefined;
    const parent = this.stack.at(-1);
    if (parent !== undefined) return parent.form.children?.[name];
    if (name !== this.root) this.stop(`the root is ${name}, not ${this.root}`);
    return this.rootForm;
  }

  private close(): void {
    if (this.passedOver > 0) {
      this.passedOver -= 1;
      return;
    }
    const element = this.stack.at(-1);
    if (element === undefined) return;
    const { form } = element;
    const wrong = form.text?.(this.draft, this.text.trim()) ?? form.close?.(this.draft);
    if (wrong !== undefined) throw new Damaged({ ...this.placeOf(element), reason: wrong });
    this.text = '';
    this.stack.pop();
  }

  /** Where an element stands. */
  private placeOf({ line, column }: { readonly line: number; readonly column: number }): Omit<SpanFault, 'reason'> {
    return { line, column, element: this.stack.map(({ name }) => name).join('/') };
  }

  private stop(reason: string): never {
    const { line, column } = this.parser;
    throw new Damaged({ ...this.placeOf({ line, column: column + 1 }), reason });
  }
}

/** The parser's words without the place that it puts before them. */
function wordsOf({ message }: Error): string {
  return message.replace(/^[0-9]+:[0-9]+: /, '').replace(/\.$/, '');
}
