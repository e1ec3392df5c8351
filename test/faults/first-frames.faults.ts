import { after, describe } from 'node:test';
import { VendorSockets } from '../clients/vendor-sockets.ts';
import { longRun, trials } from './trials.ts';

const IN_TURN = 100;
const IN_PARALLEL = 50;

const opened: VendorSockets[] = [];
after(() => Promise.all(opened.map((vendor) => vendor.end())));

describe("the vendor's client, which loses a first frame that comes too early", () => {
  longRun(`loses none of ${IN_TURN} one after the other, and none of ${IN_PARALLEL} at once`, async (t) => {
    const vendor = await VendorSockets.start(IN_PARALLEL);
    opened.push(vendor);
    await trials(t, 'first frames of sockets', 1, async () => {
      await vendor.openInTurn(IN_TURN);
      await vendor.openTogether(IN_PARALLEL);
      return IN_TURN + IN_PARALLEL;
    });
  });
});
