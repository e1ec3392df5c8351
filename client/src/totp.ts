/** One-time codes of six digits for each 30 seconds, from the secret of an authenticator (RFC 6238, SHA-1). */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/**
 * The source of one-time codes for `login`, from a secret in base 32 as authenticator apps take it. It goes by the
 * clock of this machine.
 * @throws RangeError for a secret that is not in base 32.
 */
export function totpOf(secret: string): () => Promise<string> {
  const bytes = decoded(secret.replace(/[\s=-]/g, '').toUpperCase());
  return () => codeAt(bytes, Math.floor(Date.now() / STEP_MS));
}

async function codeAt(secret: Uint8Array<ArrayBuffer>, step: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const digest = new DataView(await crypto.subtle.sign('HMAC', key, counter));
  const offset = digest.getUint8(19) & 15;
  const number = digest.getUint32(offset) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

function decoded(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const letter of text) {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) throw new RangeError('the secret of one-time codes is not in base 32');
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (held >> bits) & 0xff;
  }
  return bytes;
}
