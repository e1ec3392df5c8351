/** Output that somebody may stop reading. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Lets the process go on when nobody reads what it prints any more: a pipe whose other end is closed, as that of `head`
 * is, or a terminal that is gone. Other failures of a stream are thrown.
 */
export function outliveReaders(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && !(error.code === 'EIO' && stream.isTTY)) throw error;
    });
  }
}

/** Prints lines no faster than they are read, and ends when nobody reads them any more. */
export async function printLines(lines: Iterable<string>, to: NodeJS.WritableStream): Promise<void> {
  await pipeline(Readable.from(withEnds(lines)), to, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

function* withEnds(lines: Iterable<string>): Iterable<string> {
  for (const line of lines) yield `${line}\n`;
}
