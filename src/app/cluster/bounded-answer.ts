/** Answers of other members as text, of a bounded length: a broken one may send bytes without an end. */

/**
 * The text of an answer. Rejects for one of more than `most` bytes as they are after decompression, whatever its
 * headers say, and lets go of the connection.
 */
export async function boundedText(response: Response, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the body.
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > most) throw new Error(`${response.url} answers more than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
