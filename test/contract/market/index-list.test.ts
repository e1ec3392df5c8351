import { contractOf } from '../../kit/wire/suite.ts';
import { INTEGER, TEXT } from '../../kit/wire/wire-checks.ts';

contractOf({
  path: '/indexList',
  message: 'All indexes',
  request: {},
  data: [{ exchange: /^(NSE|BSE)$/, token: INTEGER, tradingSymbol: TEXT, symbol: TEXT, idxname: TEXT }],
});
