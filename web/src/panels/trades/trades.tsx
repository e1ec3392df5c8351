/** The trades of the day with the charges of each, levy by levy, and their sums. They can be taken away as CSV. */
import './trades.css';
import { useSignal } from '@preact/signals';
import type { TradeChargesData, TradeRow } from '../../../../client/src/wire.ts';
import type { PanelProps } from '../../app/panels.ts';
import { failureWords, PRODUCT_WORDS, SIDE_WORDS } from '../../orders/words.ts';
import { useAsked } from '../../store/asked.ts';
import { trades } from '../../store/books.ts';
import { choose } from '../../store/chosen.ts';
import { client } from '../../store/session.ts';
import { grouped } from '../../text/figures.ts';
import { Failure } from '../../ui/failure.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Menu } from '../../ui/menu.tsx';
import { type Sum, Sums } from '../../ui/sums.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toasts.tsx';
import { tradesCsv } from './csv.ts';

type Charged = TradeChargesData['rows'][number];

/** A trade, and its charges once they are known. */
interface ShownTrade {
  readonly trade: TradeRow;
  readonly charged: Charged | undefined;
}

/** Charges follow trades and conversions; a conversion is seen at this pace. */
const EVERY_MS = 20_000;

export default function Trades({ link }: PanelProps) {
  const chosen = useSignal<string | undefined>(undefined);
  const { data, failure } = useAsked('trades', () => client().portfolio.tradeCharges(), trades.list, EVERY_MS).value;
  const charges = new Map(data?.rows.map((row) => [row.fillId, row]));
  const rows = trades.list.value.map((trade): ShownTrade => ({ trade, charged: charges.get(trade.fillId) })).reverse();
  return (
    <div class="table-panel trades-panel">
      <div class="bar" role="toolbar" aria-label="Trades">
        <button
          type="button"
          disabled={rows.length === 0}
          title="In Excel, import it with Order as text: a number there keeps 15 digits, and an order number has 16"
          onClick={() => void download()}
        >
          Download CSV
        </button>
        <Failure of={failure} />
        <span class="space" />
        {data !== undefined && data.others.length > 0 && <Others of={data} />}
      </div>
      {data !== undefined && <Sums label="Charges of the day" of={sumsOf(data)} />}
      <Table
        label="Trades"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ trade }) => trade.fillId}
        empty={trades.isKnown.value ? 'No trades today.' : 'Loading trades'}
        chosen={chosen.value}
        onChoose={({ trade }) => {
          chosen.value = trade.fillId;
          choose(link, trade);
        }}
      />
    </div>
  );
}

function levy(id: keyof TradeChargesData['totals'], title: string, width: string): Column<ShownTrade> {
  return { id, title, width, isFigure: true, cell: ({ charged }) => <Figure value={charged?.[id]} /> };
}

const COLUMNS: readonly Column<ShownTrade>[] = [
  { id: 'time', title: 'Time', width: '8ch', cell: ({ trade }) => trade.fillTime.slice(-8) },
  {
    id: 'name',
    title: 'Instrument',
    width: 'minmax(27ch, 2fr)',
    cell: ({ trade }) => (
      <>
        {trade.tradingSymbol} <small>{PRODUCT_WORDS[trade.product]}</small>
      </>
    ),
    order: (a, b) => a.trade.tradingSymbol.localeCompare(b.trade.tradingSymbol),
  },
  {
    id: 'side',
    title: 'Side',
    width: '5ch',
    cell: ({ trade }) => (
      <span class={trade.transactionType === 'B' ? 'side-buy' : 'side-sell'}>{SIDE_WORDS[trade.transactionType]}</span>
    ),
  },
  { id: 'quantity', title: 'Quantity', width: '8ch', isFigure: true, cell: ({ trade }) => grouped(trade.fillQuantity) },
  {
    id: 'price',
    title: 'Price',
    width: '10ch',
    isFigure: true,
    cell: ({ trade }) => grouped(trade.fillPrice.toFixed(2)),
  },
  levy('value', 'Value', '13ch'),
  levy('total', 'Charges', '9ch'),
  levy('brokerage', 'Brokerage', '9ch'),
  levy('transaction', 'Exchange', '9ch'),
  levy('investorProtection', 'IPFT', '6ch'),
  levy('sebi', 'SEBI', '6ch'),
  levy('clearing', 'Clearing', '7ch'),
  levy('gst', 'GST', '8ch'),
  levy('stt', 'STT', '9ch'),
  levy('stamp', 'Stamp', '7ch'),
];

function sumsOf({ totals, charges }: TradeChargesData): readonly Sum[] {
  return [
    { name: 'Traded value', value: totals.value },
    { name: 'Charges of trades', value: totals.total },
    { name: 'Charges of the day', value: charges },
  ];
}

/** The charges that belong to no trade, in a menu: they are few and seldom looked for. */
function Others({ of }: { readonly of: TradeChargesData }) {
  return (
    <Menu label="Charges that belong to no trade" face="Other charges">
      {() =>
        of.others.map(({ text, amount }) => (
          <p class="other" key={text}>
            <span>{capitalized(text)}</span> <span class="figure">{grouped(amount)}</span>
          </p>
        ))
      }
    </Menu>
  );
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The charges are asked for once more, so that every trade in the file has its own. */
async function download(): Promise<void> {
  try {
    const charges = await client().portfolio.tradeCharges();
    save(
      tradesCsv(charges, (fillId) => trades.get(fillId)),
      dateOf(charges.requestTime),
    );
  } catch (error) {
    toast('bad', `The trades were not read: ${failureWords(error)}`);
  }
}

/** `2026-11-23` of the time of an answer, `10:15:00 23-11-2026`. */
function dateOf(requestTime: string): string {
  return requestTime.slice(9).split('-').reverse().join('-');
}

function save(text: string, date: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = `sauda-trades-${date}.csv`;
  anchor.click();
  URL.revokeObjectURL(address);
}
