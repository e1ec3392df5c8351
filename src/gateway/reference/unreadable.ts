/** A file that a page is made of could not be read: the page is missing, and the service goes on without it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Rejects with `Unreadable` in place of the error. */
export async function readable<T>(content: Promise<T>): Promise<T> {
  try {
    return await content;
  } catch (error) {
    throw new Unreadable('a file of the reference cannot be read', { cause: error });
  }
}
