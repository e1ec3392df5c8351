/** A number that carries its unit in its type: two brands do not mix without a named conversion. */
export type Brand<Name extends string> = number & { readonly __brand: Name };
