/** The access of a user: key, sessions, addresses, rate and risk group, with the acts that change them. */

import type { UserRow } from '../../../../src/operator/operations/access-operations.ts';
import { askFor, changeRiskGroup, fixAddresses, renewKey, resetCredentials, setOrderRate } from '../acts.ts';
import { type Pair, Pairs } from '../pairs.tsx';
import { usePolled } from '../poll.ts';

export function UserAccess({ user }: { readonly user: string }) {
  const { answer, failure } = usePolled<readonly UserRow[]>(`/users?search=${encodeURIComponent(user)}&limit=50`);
  const row = answer?.find(({ userId }) => userId === user);
  return (
    <>
      <div class="tools">
        <button type="button" onClick={() => askFor(changeRiskGroup(user, row?.riskGroup))}>
          Risk group
        </button>
        <button type="button" onClick={() => askFor(renewKey(user))}>
          New API key
        </button>
        <button type="button" onClick={() => askFor(resetCredentials(user))}>
          Reset credentials
        </button>
        <button type="button" onClick={() => askFor(fixAddresses(user, row?.addresses ?? []))}>
          Addresses
        </button>
        <button type="button" onClick={() => askFor(setOrderRate(user, row?.orderRate?.perSecond))}>
          Order rate
        </button>
      </div>
      {answer === undefined && failure !== '' && <p class="empty">{failure}</p>}
      {row !== undefined && <Pairs of={pairsOf(row)} />}
    </>
  );
}

function pairsOf(row: UserRow): readonly Pair[] {
  const { riskGroup, orderRate, addresses, fixed } = row;
  return [
    ['Name', row.name],
    ['Kind', row.demo ? 'demo user' : 'user'],
    ['One-time codes', row.totp ? 'yes' : 'no'],
    ['API key good until', row.keyGoodUntil],
    ['Live sessions', String(row.sessions)],
    ['Orders today', String(row.orders)],
    ['Orders may come from', fixed ? addresses.join(' and ') : 'anywhere'],
    ['Orders a second', orderRate === undefined ? 'as the service says' : String(orderRate.perSecond)],
    ['Risk group', riskGroup === undefined ? 'the usual one' : riskGroup.name],
    ...(riskGroup === undefined
      ? []
      : [
          ['Cap of a cash order', riskGroup.orderValueCap] as const,
          ['Products', riskGroup.products.join(', ')] as const,
          ['Exchanges', riskGroup.exchanges.join(', ')] as const,
        ]),
  ];
}
