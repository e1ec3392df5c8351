import { createReadStream } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import { faultOf } from '../tape-fault.ts';

/** Recordings shrink by 5 to 30; what grows by more than this is a bomb. */
const MOST_GROWTH = 200;
const FREE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** True for the first bytes of a file that zstd packed. */
export function isZstd(head: Buffer): boolean {
  return head.subarray(0, MAGIC.length).equals(MAGIC);
}

/** The bytes of a file that zstd packed. Throws `TapeFault` where they are damaged or far too many. */
export async function* zstdBytes(
  path: string,
  size: number,
  document: string,
  progress: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
  const unpacked = createZstdDecompress();
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  let bytes = 0;
  try {
    for await (const piece of unpacked as AsyncIterable<Uint8Array>) {
      bytes += piece.length;
      if (bytes > size * MOST_GROWTH + FREE_BYTES) {
        throw faultOf(document, `it grows to more than ${MOST_GROWTH} times its size when it is unpacked`);
      }
      progress(source.bytesRead);
      yield piece;
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw faultOf(document, `it cannot be unpacked: ${error.message}`);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}
