/** The refusals of the operating system, in words that follow the name of the path. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENOTREG: 'it is not a file',
  EFBIG: 'it is too large',
  EEXIST: 'it is there already',
  EBUSY: 'it is in use, or a mount point',
  ELOOP: 'its links go round in a circle',
  ENAMETOOLONG: 'the name is too long',
  EACCES: 'permission is denied',
  EPERM: 'that is not permitted',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

/** The fault of a path, in words; `undefined` for an error that does not name one. */
export function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return WORDS[error.code];
}

/** True for an error of the operating system with that code, as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** True when an error says that there is no such file or folder. */
export function isAbsent(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

/** Does work on a file, and nothing when the file is not there. */
export function unlessAbsent(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error that was thrown, or one with the words of anything else that was. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
