import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceCopy } from './source-copy.ts';

/*
 * A field that its codec forgot does not compile. A copy of the source gets one more field in each record that is
 * stored, and the compiler must refuse the copy at the codec of each of them.
 */

/**
 * A record, the file that declares it, what its field is named, the field's type, and the file whose codec forgets it.
 */
type Forgotten = readonly [record: string, file: string, field: string, type: string, codec: string];

const FORGOTTEN: readonly Forgotten[] = [
  ['State', 'core/state.ts', 'newTable', 'Map<number, string>', 'core/snapshot/snapshot.ts'],
  ['ClockLine', 'core/clock/clock-line.ts', 'newInClock', 'number', 'core/snapshot/snapshot.ts'],
  ['Session', 'core/state.ts', 'newInSession', 'number', 'core/snapshot/snapshot.ts'],
  ['PlacementReply', 'core/state.ts', 'newInReply', 'number', 'core/snapshot/snapshot.ts'],
  ['Counterparty', 'core/state.ts', 'newInCounterparty', 'number', 'core/snapshot/snapshot.ts'],
  ['LimitBan', 'core/state.ts', 'newInBan', 'number', 'core/snapshot/snapshot.ts'],
  ['Alert', 'core/lists/alert.ts', 'newInAlert', 'number', 'core/snapshot/snapshot.ts'],
  ['AlertEnd', 'core/lists/alert.ts', 'newInAlertEnd?', 'number', 'core/snapshot/snapshot.ts'],
  ['Watchlist', 'core/lists/watchlist.ts', 'newInWatchlist', 'number', 'core/snapshot/snapshot.ts'],
  ['Switch', 'core/switches/switch.ts', 'newInSwitch', 'number', 'core/snapshot/snapshot.ts'],
  ['ScenarioRule', 'core/scenarios/rules/scenario-rule.ts', 'newInRule', 'number', 'core/snapshot/scenario-codec.ts'],
  [
    'MarketWindow',
    'core/scenarios/rules/scenario-rule.ts',
    'newInWindow?',
    'number',
    'core/snapshot/scenario-codec.ts',
  ],
  [
    'CorporateAction',
    'core/broker/corporate-actions/corporate-action.ts',
    'newInAction',
    'number',
    'core/snapshot/snapshot.ts',
  ],
  ['Gtt', 'core/broker/gtt/gtt.ts', 'newInGtt', 'number', 'core/snapshot/gtt-codec.ts'],
  ['GttLeg', 'core/broker/gtt/gtt.ts', 'newInLeg?', 'number', 'core/snapshot/gtt-codec.ts'],
  ['GttFiring', 'core/broker/gtt/gtt.ts', 'newInFiring', 'number', 'core/snapshot/gtt-codec.ts'],
  ['Order', 'core/order.ts', 'newInOrder', 'number', 'core/snapshot/order-codec.ts'],
  ['Order', 'core/order.ts', 'newOptional?', 'number', 'core/snapshot/order-codec.ts'],
  ['Order', 'core/order.ts', 'newInOrder', 'number', 'core/order-day/row-order.ts'],
  ['Order', 'core/order.ts', 'newOptional?', 'number', 'core/order-day/row-order.ts'],
  ['Order', 'core/order.ts', 'newInOrder', 'number', 'core/order.ts'],
  ['OrderTerms', 'core/order.ts', 'newInTerms', 'number', 'core/order-day/row-order.ts'],
  ['OrderTerms', 'core/order.ts', 'newInTerms', 'number', 'core/snapshot/order-codec.ts'],
  ['OrderTerms', 'core/order.ts', 'newOptionalInTerms?', 'number', 'core/snapshot/order-codec.ts'],
  ['OrderTags', 'core/order.ts', 'newTag?', 'string', 'core/snapshot/order-codec.ts'],
  ['OutcomeDue', 'core/scenarios/outcome-events.ts', 'newInOutcome', 'number', 'core/snapshot/snapshot.ts'],
  ['OrderScenario', 'core/scenarios/order-scenario.ts', 'newWish?', 'number', 'core/scenarios/order-scenario.ts'],
  ['AfterMarket', 'core/order.ts', 'newInAfterMarket?', 'number', 'core/snapshot/order-codec.ts'],
  ['Account', 'core/account.ts', 'newInAccount', 'number', 'core/snapshot/account-codec.ts'],
  ['Account', 'core/account.ts', 'newTableOfAccount', 'Map<number, string>', 'core/snapshot/account-codec.ts'],
  ['Position', 'core/account.ts', 'newInPosition', 'number', 'core/snapshot/account-codec.ts'],
  ['Holding', 'core/account.ts', 'newInHolding', 'number', 'core/snapshot/account-codec.ts'],
  ['Portfolio', 'core/account.ts', 'newInPortfolio', 'number', 'core/snapshot/account-codec.ts'],
  ['Access', 'core/access/access-terms.ts', 'newInAccess?', 'number', 'core/snapshot/account-codec.ts'],
  ['RiskGroup', 'core/broker/account/risk-group-terms.ts', 'newInGroup', 'number', 'core/snapshot/account-codec.ts'],
  ['BookDump', 'core/exchange/book/book-dump.ts', 'newInBook', 'number', 'core/exchange/book/book-dump.ts'],
  ['OrderRecord', 'views/order-record.ts', 'newInRecord', 'number', 'views/order-row.ts'],
  ['HistoryEntry', 'views/order-record.ts', 'newInEntry?', 'number', 'views/order-row.ts'],
  ['Fill', 'views/trade-book.ts', 'newInFill', 'number', 'views/trade-book.ts'],
  ['OwnBar', 'views/own/own-bar.ts', 'newInBar', 'number', 'views/own/own-bar.ts'],
  ['LedgerEntry', 'views/ledger/ledger-entries.ts', 'newInLedger', 'number', 'views/ledger.ts'],
  ['LedgerEntry', 'views/ledger/ledger-entries.ts', 'newInLedger', 'number', 'views/ledger/ledger-entries.ts'],
  ['OwnTrade', 'views/ledger/ledger-entries.ts', 'newInOwnTrade', 'number', 'views/ledger.ts'],
  ['OwnTrade', 'views/ledger/ledger-entries.ts', 'newInOwnTrade', 'number', 'views/ledger/ledger-entries.ts'],
  ['Closing', 'views/ledger/closings.ts', 'newInClosing?', 'number', 'views/ledger.ts'],
  ['Lot', 'views/open-lots.ts', 'newInLot', 'number', 'views/open-lots.ts'],
  ['Views', 'views/views.ts', 'newView', 'Ledger', 'views/views.ts'],
  ['OrderReceived', 'core/event.ts', 'newInReceipt', 'number', 'journal/received-order-codec.ts'],
  ['OrderReceived', 'core/event.ts', 'newMark?', 'true', 'journal/received-order-codec.ts'],
];

test('the compiler refuses a field of a stored record that its codec forgot', () => {
  const files = ['src/core/snapshot/snapshot.ts', 'src/views/views.ts', 'src/journal/received-order-codec.ts'];
  const folders = ['base', 'core', 'views', 'journal'].map((folder) => `src/${folder}`);
  const copy = new SourceCopy(folders, { compilerOptions: { types: [] }, files });
  assert.deepEqual(copy.errors(), [], 'the copy compiles as it is');
  for (const [record, file, field, type] of FORGOTTEN) addField(copy, record, `src/${file}`, field, type);
  const errors = copy.errors();
  const unseen = FORGOTTEN.filter(([, , field, , codec]) => {
    const name = field.replace('?', '');
    return !errors.some((error) => error.startsWith(`src/${codec}(`) && new RegExp(`\\b${name}\\b`).test(error));
  });
  assert.deepEqual(unseen, [], errors.join('\n'));
});

function addField(copy: SourceCopy, record: string, file: string, field: string, type: string): void {
  const text = copy.read(file);
  // Several codecs may have to name the same field.
  if (text.includes(`  readonly ${field}: ${type};\n`)) return;
  const head = new RegExp(`^(?:export )?interface ${record}\\b[^{]*\\{\\n`, 'm');
  assert.match(text, head, `${file} declares ${record}`);
  copy.write(
    file,
    text.replace(head, (found) => `${found}  readonly ${field}: ${type};\n`),
  );
}
