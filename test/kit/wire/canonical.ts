/**
 * A body with `fillPrice` as `JSON.stringify` would write it: the only number that the wire writes with decimals which
 * it need not have.
 * Source: contract W28.
 */
export function canonical(body: string): string {
  return body.replace(/(?<="fillPrice":)\d+\.\d\d(?=[,}])/g, (price) => String(Number(price)));
}
