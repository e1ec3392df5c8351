/** The figures of a user's limits with the entries that make them, and money in and out. */

import type { LimitReport } from '../../../../src/operator/cli/reports/limit-report.ts';
import { Figure } from '../../ui/figure.tsx';
import { askFor, payIn, payOut } from '../acts.ts';
import { usePolled } from '../poll.ts';

export function UserFunds({ user }: { readonly user: string }) {
  const { answer, failure } = usePolled<LimitReport>(`/users/${encodeURIComponent(user)}/limit`);
  return (
    <>
      <div class="tools">
        <button type="button" onClick={() => askFor(payIn(user))}>
          Pay in
        </button>
        <button type="button" onClick={() => askFor(payOut(user))}>
          Pay out
        </button>
      </div>
      {answer === undefined && failure !== '' && <p class="empty">{failure}</p>}
      <dl class="funds">
        {answer?.figures.map(({ name, amount, entries }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="figure">
              <Figure value={amount} />
            </dd>
            <dd class="entries">
              <ul>
                {entries.map((entry, index) => (
                  <li key={index}>
                    <span class="quiet">{entry.time ?? ''}</span>
                    <span>{entry.text}</span>
                    <span class="figure">
                      <Figure value={entry.amount} />
                    </span>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
