import { endAtOnce } from '../../../src/app/exit-codes.ts';
import { Trail } from '../../../src/audit/trail.ts';
import { emptyState } from '../../../src/core/state.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { wallClock } from '../../../src/os/wall-clock.ts';

/** Lines that are written every millisecond or so. */
const AT_A_TIME = 20;

/**
 * Writes lines of acts into the audit trail of the folder that it is given, until the storage fails or it is killed.
 */
const [, , data = ''] = process.argv;
const trail = new Trail({
  data,
  years: 0,
  anchor: undefined,
  wall: wallClock,
  failStop: endAtOnce,
  log: (message) => console.log(message),
});
try {
  trail.open(emptyState());
  trail.start(() => GENESIS);
} catch (error) {
  endAtOnce(error);
}
let count = 0;
setInterval(() => {
  for (let i = 0; i < AT_A_TIME; i += 1) {
    count += 1;
    trail.act('POST /users', '', 200, { why: 'x'.repeat(count % 150) });
  }
}, 1);
