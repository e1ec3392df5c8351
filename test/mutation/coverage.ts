import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { insteadOf, ROOT } from './module-graphs.ts';
import { blocksOf, strippedOf } from './mutants.ts';

interface Block {
  readonly start: number;
  readonly end: number;
  /** Its place in `RAN`. */
  readonly id: number;
}

/** 1 for each block that ran since the last look. Instrumented code reaches it by this name. */
const RAN = new Uint8Array(1 << 17);
Object.assign(globalThis, { blocksThatRan: RAN });

/**
 * Which blocks of some files run: their text notes it itself, which costs less than the engine's own coverage. Made
 * before the files are loaded.
 */
export class Coverage {
  readonly #blocks = new Map<string, Block[]>();
  #count = 0;

  constructor(files: readonly string[]) {
    for (const file of files) insteadOf(file, this.#instrumented(file));
  }

  /**
   * Whether the innermost block around `position` ran since `clear`; undefined for what stands in no block, which runs
   * at load.
   */
  ranAt(file: string, position: number): boolean | undefined {
    let innermost: Block | undefined;
    for (const block of this.#blocks.get(file) ?? []) {
      const around = block.start <= position && position < block.end;
      if (around && (innermost === undefined || block.start >= innermost.start)) innermost = block;
    }
    return innermost && RAN[innermost.id] === 1;
  }

  clear(): void {
    RAN.fill(0, 0, this.#count);
  }

  #instrumented(file: string): string {
    const code = strippedOf(readFileSync(join(ROOT, file), 'utf8'));
    const blocks: Block[] = [];
    this.#blocks.set(file, blocks);
    const inserted: (readonly [at: number, text: string])[] = [];
    for (const { start, end, isExpression } of blocksOf(code)) {
      const note = `blocksThatRan[${this.#count}] = 1`;
      blocks.push({ start, end, id: this.#count });
      this.#count += 1;
      if (isExpression) inserted.push([start, `(${note}, (`], [end, '))']);
      else inserted.push([start + 1, `${note};`]);
    }
    // From the end, so that the places before stay where they are.
    return inserted
      .sort(([a], [b]) => b - a)
      .reduce((text, [at, note]) => text.slice(0, at) + note + text.slice(at), code);
  }
}
