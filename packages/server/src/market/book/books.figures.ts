import { type FigureGroup, namedSkusMax } from '../../core/work/figures.ts'

const bySku = { type: 'gauge', label: 'sku' } as const

// One row for each SKU. The counts are kept with each change of a book.
export const bookFigures: readonly FigureGroup[] = [
  {
    families: [
      {
        name: 'bourse_resting_orders',
        type: 'gauge',
        help: 'Orders that rest in all books.',
        label: 'side',
        shown: ['buy', 'sell'],
      },
      { name: 'bourse_books', type: 'gauge', help: 'Order books.', label: 'state', shown: ['open', 'halted'] },
    ],
    text: `select f.family, f.label, f.value
      from (
        select sum(b.resting_buys) as buys, sum(b.resting_sells) as sells,
          count(*) filter (where b.halted or h.only_row is not null) as halted, count(*) as books
        from books b
        left join market_halt h on true
      ) b
      cross join lateral (
        values ('bourse_resting_orders', 'buy', coalesce(b.buys, 0)),
          ('bourse_resting_orders', 'sell', coalesce(b.sells, 0)),
          ('bourse_books', 'halted', b.halted),
          ('bourse_books', 'open', b.books - b.halted)
      ) as f(family, label, value)`,
  },
  {
    families: [
      {
        ...bySku,
        name: 'bourse_best_bid_dollars',
        help: `The highest limit of a buy for the next hour: the ${namedSkusMax} SKUs with the most orders.`,
      },
      {
        ...bySku,
        name: 'bourse_best_ask_dollars',
        help: 'The lowest limit of a sell for the next hour, of the SKUs of bourse_best_bid_dollars.',
      },
    ],
    text: `select f.family, b.alias as label, f.micros / 1e6 as value
      from (
        select s.alias, o.best_bid_micros, o.best_ask_micros
        from books o
        join skus s on s.id = o.sku_id
        where s.deleted_at is null
        order by o.resting_buys + o.resting_sells desc, s.alias
        limit ${namedSkusMax}
      ) b
      cross join lateral (
        values ('bourse_best_bid_dollars', b.best_bid_micros), ('bourse_best_ask_dollars', b.best_ask_micros)
      ) as f(family, micros)
      where f.micros is not null`,
  },
]
