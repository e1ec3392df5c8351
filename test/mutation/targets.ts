/**
 * A part of the product whose tests are tested: its files, and the tests that are nearest to them, as patterns from the
 * root.
 */
export interface Target {
  readonly name: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

/** The long tests beside second implementations run short under a mutant: these settings of theirs. */
export const SHORT_RUNS: { readonly [setting: string]: string } = {
  SAUDA_BOOK_SEEDS: '10',
  SAUDA_AUCTION_BOOKS: '2000',
  SAUDA_SPAN_PORTFOLIOS: '300',
};

/** Hostile days, months, `sim/` and whole services would find more, and take hours for it. */
export const TARGETS: readonly Target[] = [
  {
    name: 'matching',
    files: ['src/core/exchange/**/*.ts'],
    tests: [
      'src/core/exchange/**/*.test.ts',
      'test/scenario/stories.test.ts',
      'test/scenario/exchange/{guards,auctions,made-limits}.test.ts',
      'test/reference/{differential,auction}.test.ts',
      'test/property/money/own-orders-met.test.ts',
      'test/scenario/settlement/own-exits.test.ts',
      'src/core/*.test.ts',
    ],
  },
  {
    name: 'admission',
    files: [
      'src/core/broker/**/{admission,order-need,order-checks,margin-checks,orders-ended,risk-checks,guard-checks,order-wish}.ts',
      'src/core/broker/**/{protection,reduction,ban,what-if,life-cycle,orders,reprice,held-proceeds,collateral,funds}.ts',
      'src/core/broker/trials/basket-margin.ts',
    ],
    tests: [
      'src/core/broker/{orders,account,trials,corporate-actions}/*.test.ts',
      'src/core/*.test.ts',
      'test/scenario/stories.test.ts',
      'test/scenario/exchange/guards.test.ts',
      'test/scenario/why/*.test.ts',
      'test/scenario/exchange/{after-market,made-limits,waiting-orders}.test.ts',
      'test/scenario/settlement/repriced.test.ts',
      'test/scenario/money/{admission-rules,admission,order-need,edges,exits,funds,basket}.test.ts',
      'test/scenario/money/{conversion,vectors,what-if}.test.ts',
      'test/property/money/own-orders-met.test.ts',
    ],
  },
  {
    name: 'margin',
    files: ['src/core/margin/**/*.ts'],
    tests: [
      'src/core/margin/**/*.test.ts',
      'test/scenario/money/{vectors,admission}.test.ts',
      'test/reference/span.test.ts',
      'test/scenario/why/check-figures.test.ts',
    ],
  },
  {
    name: 'sessions',
    files: ['src/core/access/*.ts', 'src/gateway/sessions.ts', 'src/gateway/credentials/login-throttle.ts'],
    tests: [
      'src/core/access/*.test.ts',
      'src/gateway/sessions.test.ts',
      'src/gateway/credentials/login-throttle.test.ts',
    ],
  },
  {
    name: 'validators',
    files: [
      'src/gateway/**/{request,order-terms,order-words,fields,numbers,slices,times,rate,plain-request,path,body,margin-question}.ts',
      'src/base/decimal.ts',
    ],
    tests: [
      'src/gateway/**/*.test.ts',
      'src/base/*.test.ts',
      'test/contract/**/{place-order,modify-order,order-margin,basket-margin,order-book,risk-group,bodies,framing,plain-lane}.test.ts',
    ],
  },
];

/** Within the patterns of the files, but no part of what runs: checks and views for tests and operators. */
export const LEFT_OUT: { readonly [file: string]: string } = {
  'src/core/exchange/book/check-book.ts':
    'an invariant of the book; the control runs of sim/ show that it fails when it must',
  'src/core/exchange/book/floor-fixture.ts': 'serves tests only',
  'src/core/margin/margin-fixture.ts': 'serves tests only',
};
