/** The requests that this page made, each as curl, as TypeScript and in Python, so that a program can make it too. */
import { useComputed, useSignal } from '@preact/signals';
import type { PanelProps } from '../../app/panels.ts';
import { type MadeRequest, requests } from '../../store/requests.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toasts.tsx';
import './developer.css';
import { LANGUAGES, type Language, snippetOf } from './snippets.ts';

/** Operations that change something: those are what a user did, the others are what panels read. */
const CHANGES = /^(place|modify|cancel|exit|save|delete|product|basketOrder|login|logout|demoLogin)/;

const COLUMNS: readonly Column<MadeRequest>[] = [
  { id: 'number', title: 'No.', width: '5ch', isFigure: true, cell: ({ number }) => number },
  { id: 'operation', title: 'Operation', width: 'minmax(14ch, 1fr)', cell: ({ operation }) => operation },
  { id: 'status', title: 'Status', width: '8ch', isFigure: true, cell: ({ status }) => statusText(status) },
  {
    id: 'took',
    title: 'ms',
    width: '6ch',
    isFigure: true,
    cell: ({ took }) => (took === undefined ? '\u2013' : Math.round(took)),
  },
];

export default function Developer(_props: PanelProps) {
  const isAll = useSignal(false);
  const chosen = useSignal<number | undefined>(undefined);
  const language = useSignal<Language>('curl');
  const rows = useComputed(() => {
    return requests.value.filter(({ operation }) => isAll.value || CHANGES.test(operation)).toReversed();
  });
  const shown = useComputed(() => rows.value.find(({ number }) => number === chosen.value) ?? rows.value[0]);
  return (
    <div class="developer-panel">
      <div class="list">
        <div class="bar">
          <label>
            <input
              type="checkbox"
              checked={isAll.value}
              onChange={({ currentTarget }) => (isAll.value = currentTarget.checked)}
            />
            Also what panels read
          </label>
          <span class="space" />
          <a href="/docs">Reference</a>
        </div>
        <Table
          label="Requests of this page"
          columns={COLUMNS}
          rows={rows.value}
          keyOf={({ number }) => String(number)}
          empty="This page has changed nothing yet. Send an order, and its request stands here."
          chosen={shown.value === undefined ? undefined : String(shown.value.number)}
          onChoose={({ number }) => (chosen.value = number)}
        />
      </div>
      {shown.value !== undefined && (
        <Snippet request={shown.value} language={language.value} onLanguage={(name) => (language.value = name)} />
      )}
    </div>
  );
}

interface SnippetProps {
  readonly request: MadeRequest;
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
}

function Snippet({ request, language, onLanguage }: SnippetProps) {
  const text = snippetOf(language, request, location.origin);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => toast('good', 'The request is copied. It has no secrets in it.'),
      () => toast('bad', 'The browser does not let the page copy. Choose the text instead.'),
    );
  };
  return (
    <div class="snippet">
      <div class="bar">
        <Tabs
          label="Language"
          tabs={LANGUAGES.map((name) => ({ name, title: name }))}
          shown={language}
          onShow={onLanguage}
          controls="snippet-text"
        />
        <span class="space" />
        <button type="button" onClick={copy}>
          Copy
        </button>
      </div>
      <pre
        class="code"
        id="snippet-text"
        role="tabpanel"
        aria-label={`${request.operation} as ${language}`}
        tabIndex={0}
      >
        {text}
      </pre>
      <p class="quiet small">
        The token of the session is <code>JKEY</code> in the environment; secrets are not shown here.
      </p>
    </div>
  );
}

function statusText(status: number | undefined): string {
  if (status === undefined) return 'sent';
  return status === 0 ? 'none' : String(status);
}
