/** The columns of a file by their names, whatever their letter case, blanks, underscores and marks. */
export class Columns {
  readonly names: readonly string[];
  private readonly places = new Map<string, number>();

  constructor(names: readonly string[]) {
    this.names = names;
    for (const [place, name] of names.entries()) {
      const bare = bareName(name);
      if (!this.places.has(bare)) this.places.set(bare, place);
    }
  }

  /** The place of the first name that the file has; -1 when it has none of them. */
  find(...names: readonly string[]): number {
    for (const name of names) {
      const place = this.places.get(bareName(name));
      if (place !== undefined) return place;
    }
    return -1;
  }

  has(...names: readonly string[]): boolean {
    return names.every((name) => this.places.has(bareName(name)));
  }
}

function bareName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
