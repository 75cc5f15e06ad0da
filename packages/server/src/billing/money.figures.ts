import type { FigureGroup } from '../core/work/figures.ts'

/** Sums over whole tables, read each hour. */
export const moneyFigures: readonly FigureGroup[] = [
  {
    families: [
      {
        name: 'bourse_ledger_sum_dollars',
        type: 'gauge',
        help: 'The sum of all legs of the ledger, which must be 0, as the last hourly run read it.',
      },
      {
        name: 'bourse_accounts_held_dollars',
        type: 'gauge',
        help: 'Money held on all accounts, as the last hourly run read it.',
      },
      {
        name: 'bourse_holds_dollars',
        type: 'gauge',
        help:
          'The sum of the holds of open buys, as the last hourly run read it. It must equal the money held on all ' +
          'accounts.',
      },
      { name: 'bourse_holds', type: 'gauge', help: 'Holds of open buys, as the last hourly run counted them.' },
    ],
    text: `select f.family, null as label, f.value
      from (
        select
          (select coalesce(sum(amount_micros), 0) / 1000000 from ledger) as ledger,
          (select coalesce(sum(held_micros), 0) / 1000000 from money_accounts) as held,
          (select coalesce(sum(amount_micros), 0) / 1000000 from holds) as holds,
          (select count(*)::numeric from holds) as count
      ) m
      cross join lateral (
        values ('bourse_ledger_sum_dollars', m.ledger), ('bourse_accounts_held_dollars', m.held),
          ('bourse_holds_dollars', m.holds), ('bourse_holds', m.count)
      ) as f(family, value)`,
  },
]
