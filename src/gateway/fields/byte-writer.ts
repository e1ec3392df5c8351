/**
 * Compiles the schema of a row into a function that writes it as bytes. It is for the rows of which thousands are
 * written in a second: their numbers are written from numbers. `writer.ts` writes the same text of the same row.
 */
import { IsOptional, IsString, type Static, type TObject, type TSchema } from 'typebox';
import { FIGURE, PLAIN } from './writer.ts';
import { partOf, type TextPart, type WrittenText } from './written-text.ts';

/** Writes a row after what a text has already. */
export type WriteRow<T extends TSchema> = (row: Static<T>, out: WrittenText) => void;

/** The statements of a writer. The text between two values is one part. */
class Source {
  readonly parts: TextPart[] = [];
  private statements = '';
  private fixed = '';

  fix(text: string): void {
    this.fixed += text;
  }

  add(statement: string): void {
    this.flush();
    this.statements += statement;
  }

  end(): string {
    this.flush();
    return this.statements;
  }

  private flush(): void {
    if (this.fixed === '') return;
    this.statements += `out.part(parts[${this.parts.push(partOf(this.fixed)) - 1}]);\n`;
    this.fixed = '';
  }
}

/** Compiles the schema of a row whose properties are all texts or figures; the first of them is always there. */
export function compileByteWriter<T extends TObject>(schema: T): WriteRow<T> {
  const source = new Source();
  const entries = Object.entries(schema.properties);
  if (entries[0] && IsOptional(entries[0][1])) throw new Error('the first property of a row is always there');
  for (const [index, [key, property]] of entries.entries()) {
    const isOptional = IsOptional(property);
    if (isOptional) source.add(`if (row.${key} !== undefined) {\n`);
    source.fix(`${index === 0 ? '{' : ','}"${key}":`);
    addValue(source, property, `row.${key}`);
    if (isOptional) source.add('}\n');
  }
  source.fix('}');
  return new Function('parts', `return (row, out) => {\n${source.end()}};`)(source.parts) as WriteRow<T>;
}

function addValue(source: Source, schema: TSchema, place: string): void {
  if (!IsString(schema)) throw new Error('a row holds texts and figures only');
  if (!(PLAIN in schema)) {
    source.add(`out.quoted(${place});\n`);
    return;
  }
  source.fix('"');
  source.add(`out.${FIGURE in schema ? schema[FIGURE] : 'text'}(${place});\n`);
  source.fix('"');
}
