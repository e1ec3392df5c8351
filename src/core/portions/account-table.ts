import type { AccountId } from '../../base/ids.ts';
import { PagedTable } from '../../base/tables/paged-table.ts';

/** Neighbouring accounts of a page, as a power of two. */
const PAGE_BITS = 8;

/** An entry for some accounts, in the order of their numbers. */
export class AccountTable<T extends object> extends PagedTable<AccountId, T> {
  constructor() {
    super(PAGE_BITS);
  }
}
