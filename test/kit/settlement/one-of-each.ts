import { quantity } from '../../../src/base/money.ts';
import { NIFTY_FUTURE, RELIANCE } from '../money/listed.ts';
import { NIFTY_24000_CALL, NIFTY_NEAR, RELIANCE_1240_CALL } from './expiring.ts';
import { Service } from './service.ts';

/** A service in which an account holds options, an expiring and a later future, and shares of today. */
export async function serviceWithOneOfEach(): Promise<Service> {
  const service = new Service();
  service.pass(service.now);
  await service.enrol(1_000_000_000);
  await service.trade({ of: NIFTY_24000_CALL.id, side: 'B', units: 65, at: 150_00 });
  await service.trade({ of: NIFTY_NEAR.id, side: 'S', units: 65, at: 24_110_00 });
  await service.trade({ of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_300_00 });
  await service.trade({ of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  await service.trade({ of: RELIANCE.id, side: 'B', units: quantity(20), at: 1_250_00, product: 'C' });
  return service;
}
