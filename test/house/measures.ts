/** Measures of source text that rules of the house are made with. */

export const MAX_FUNCTION_LINES = 70;

/** One circle for every import that leads back to a file on the way to it. */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' > '));
    else if (!done.has(path)) {
      for (const next of graph.get(path) ?? []) follow(next, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of graph.keys()) follow(path, []);
  return found;
}

/**
 * Functions and methods by the layout that the formatter gives them: a head that opens a brace, and the brace at the
 * same depth.
 */
export function longFunctions(code: string): string[] {
  const lines = code.split('\n');
  const found: string[] = [];
  for (const [index, line] of lines.entries()) {
    const [indent = ''] = /^ */.exec(line) ?? [];
    const opens = /\{\s*$/.test(line);
    const isFunction =
      /\bfunction\b|=>\s*\{\s*$/.test(line) ||
      /^\s*(?:private |static |async |get |set |override |\*)*[\w$#]+(?:<.*>)?\(.*\).*\{\s*$/.test(line);
    const isWrappedHead = /^\s*\).*\{\s*$/.test(line);
    const isControl = /^\s*(\} )?(if|for|while|switch|catch|else|do|try)\b/.test(line);
    if (!opens || isControl || !(isFunction || isWrappedHead)) continue;
    const end = lines.findIndex(
      (later, at) => at > index && later.startsWith(`${indent}}`) && !later.startsWith(`${indent} `),
    );
    const length = end - index + 1;
    if (end > 0 && length > MAX_FUNCTION_LINES) found.push(`${index + 1} (${length} lines)`);
  }
  return found;
}
