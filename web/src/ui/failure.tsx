/** A note that a panel could not be read; or, before its first answer, that it is on its way. */
import './failure.css';

export function Failure({ of, before }: { readonly of: string; readonly before?: string }) {
  if (of !== '') return <p class="failure">Not read: {of}</p>;
  return before === undefined ? null : <p class="empty">{before}</p>;
}
