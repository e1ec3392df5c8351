/** Choices of the user that this browser keeps. A browser that keeps nothing still works. */

/** The value that was kept under a name; undefined when there is none, or none that can be read. */
export function kept(name: string): unknown {
  try {
    const text = localStorage.getItem(`sauda.${name}`);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`sauda.${name}`, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the choice lasts until the page is closed.
  }
}
