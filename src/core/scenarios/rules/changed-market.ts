/** A market that gives some of its answers otherwise, and asks the market itself for all others. */
export function changedMarket<M extends object>(market: M, changes: Partial<M>): M {
  return new Proxy(market, {
    get: (target, name) => {
      const change: unknown = Reflect.get(changes, name);
      if (change !== undefined) return change;
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}
