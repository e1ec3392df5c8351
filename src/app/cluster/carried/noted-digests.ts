/**
 * The file in which a member notes the digests of the imported files that it hashed, so that the next start reads none
 * of them whole that is as it was. It is a help only: without it they are hashed.
 */
import { isJsonObject, jsonOf } from '../../../base/json.ts';
import { isFull } from '../../../journal/disk/disk.ts';
import { READABLE, readIfPresent, writeDurably } from '../../../os/durable-file.ts';

const VERSION = 1;

/** An imported file as it was hashed. */
export interface HashedFile {
  /** Its place below the data folder. */
  readonly path: string;
  /** Its size in bytes. */
  readonly bytes: number;
  /** The SHA-256 of the file as it is stored, in hex. */
  readonly digest: string;
  /** Time of change and size: another file has others. */
  readonly stamp: string;
}

export class NotedDigests {
  private readonly path: string;
  private text: string;

  /** `path`: the file, which may be absent or damaged. Throws what the disk refuses. */
  constructor(path: string) {
    this.path = path;
    this.text = readIfPresent(path) ?? '';
  }

  /** The files that the file names; none when it is not whole. */
  files(): readonly HashedFile[] {
    const content = jsonOf(this.text);
    const { version, files } = isJsonObject(content) ? content : {};
    return version === VERSION && Array.isArray(files) && files.every(isHashed) ? (files as HashedFile[]) : [];
  }

  /** Notes these files and no others, durably; not on a full disk. Throws what the disk refuses otherwise. */
  note(files: readonly HashedFile[]): void {
    const rows = files.map(({ path, bytes, digest, stamp }) => ({ path, bytes, digest, stamp }));
    const text = `${JSON.stringify({ version: VERSION, files: rows })}\n`;
    if (text === this.text || (files.length === 0 && this.text === '')) return;
    try {
      writeDurably(this.path, text, READABLE);
      this.text = text;
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  }
}

function isHashed(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { path, bytes, digest, stamp } = value;
  return [path, digest, stamp].every((text) => typeof text === 'string') && Number.isSafeInteger(bytes);
}
