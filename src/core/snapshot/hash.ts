import { finish, mix } from '../../base/random.ts';
import type { State } from '../state.ts';
import { dumpHead, dumpTables } from './snapshot.ts';

/** Four independent 32-bit lanes over a text. Not against an adversary: the journal's own chain is. */
class Fingerprint {
  private a = 0x9e3779b9;
  private b = 0x7f4a7c15;
  private c = 0x85ebca6b;
  private d = 0xc2b2ae35;

  add(text: string): void {
    let { a, b, c, d } = this;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b ^ code ^ (a >>> 15), 0x85ebca77);
      c = Math.imul((c << 5) ^ (c >>> 27) ^ code, 0xc2b2ae3d);
      d = Math.imul(d + code + (b >>> 13), 0x27d4eb2f);
    }
    this.a = mix(a, text.length);
    this.b = mix(b, text.length);
    this.c = mix(c, text.length);
    this.d = mix(d, text.length);
  }

  /** 32 hexadecimal digits. */
  text(): string {
    return [this.a, this.b, this.c, this.d].map((lane) => finish(lane).toString(16).padStart(8, '0')).join('');
  }
}

/**
 * A fingerprint of the whole state: 32 hexadecimal digits over its dump, entry by entry. Equal states have equal ones
 * on every machine. Source: reliability I30, architecture "A fingerprint of the whole state".
 */
export function stateHash(state: State): string {
  const fingerprint = new Fingerprint();
  fingerprint.add(JSON.stringify(dumpHead(state)));
  for (const { name, rows } of dumpTables(state)) {
    fingerprint.add(name);
    for (const entry of rows) fingerprint.add(JSON.stringify(entry));
  }
  return fingerprint.text();
}
