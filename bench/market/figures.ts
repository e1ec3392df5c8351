/** Measured figures by the name of their row in `real-figures.ts`. */
export type Figures = Readonly<Record<string, number>>;

/** A figure under its row's name, or under one name a key: `['vr', [5, 15], f]` gives `vr5` and `vr15`. */
export function byKey(name: string, keys: readonly number[], of: (key: number) => number): Figures {
  return Object.fromEntries(keys.map((key) => [`${name}${key}`, of(key)]));
}

/** The figures with a word before each name. */
export function named(prefix: string, figures: Figures): Figures {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}.${name}`, value]));
}
