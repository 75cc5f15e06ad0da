import type { FigureGroup } from '../../core/work/figures.ts'

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
]
