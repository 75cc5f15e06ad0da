import { api, level, type Mutant, server } from './mutant.ts'

/** Orders, the book and schedules, pools, transfers and estimates. */
export const marketMutants: readonly Mutant[] = [
  {
    wrong: 'A fill has the limit price of the newer order.',
    file: server('market/book/matching.rules.ts'),
    text: 'taker.seq < maker.seq ? taker : maker',
    replacement: 'taker.seq < maker.seq ? maker : taker',
    test: server('market/book/book.rules.test.ts'),
    caught_by: 'when a new order completes their shape',
    in_commit: true,
  },
  {
    wrong: 'An order that overlaps a window only in its last minute is not found.',
    file: server('market/book/book-index.rules.ts'),
    text: '(search.from - longest + 1) >> shift',
    replacement: '(search.from - longest + 2) >> shift',
    test: server('market/book/book-index.rules.test.ts'),
    caught_by: 'finds an order for windows with only its first or last',
  },
  {
    wrong: 'Nodes that a sell has promised can be offered again.',
    file: server('market/trading/order-admission.rules.ts'),
    text: 'const free = subtract(owned, promised)',
    replacement: 'const free = subtract(owned, promised.slice(0, 0))',
    test: api('orders'),
    caught_by: 'a sell needs free nodes in every minute, without those that other sells have promised',
  },
  {
    wrong: 'Each SKU reads all buckets of the range of a price history.',
    file: server('market/orders/orderbook.store.ts'),
    text: '     order by b.start_at\n     limit $6\n',
    replacement: '     order by b.start_at\n',
    test: level('market/price-history'),
    caught_by: 'a page of price history reads as many rows',
  },
  {
    wrong: 'A page of price history repeats the SKUs of its cursor, at the same start.',
    file: server('market/orders/orderbook.store.ts'),
    text: 'case when s.sku_id > $4 then 0 else 1 end',
    replacement: 'case when s.sku_id >= $4 then 0 else 1 end',
    test: level('market/price-history'),
    caught_by: 'pages in both directions',
  },
  {
    wrong: 'A page of orders reads all fills of each order on it.',
    file: server('market/orders/orders.store.ts'),
    text: '         order by f.filled_at desc, f.id desc\n         limit 100\n',
    replacement: '',
    test: level('market/list-costs'),
    caught_by: 'GET /v2/orders reads rows for its page',
  },
  {
    wrong: 'A heat map shows the price of the oldest trade as the last one.',
    file: server('market/orders/market-charts.store.ts'),
    text: '   order by f.filled_at desc, f.id desc`,',
    replacement: '   order by f.filled_at, f.id`,',
    test: api('market-charts'),
    caught_by: 'get_orderbook_heatmap: each cell is the quote',
  },
]
