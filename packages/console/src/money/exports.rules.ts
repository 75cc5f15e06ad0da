/** What can be exported, and the query for it. Pure. */
import { daySeconds } from '@bourse/text/time/units.ts'
import { readDate } from '../live/months.rules.ts'

/** A kind of export, with the encodings that it has. */
export type ExportKind = { readonly title: string; readonly about: string; readonly encodings: readonly string[] }

const all = ['csv', 'jsonl', 'parquet']

/** The kinds: datasets of FOCUS, and the ledger. */
export const exportKinds: Readonly<Record<string, ExportKind>> = {
  focus: {
    title: 'Cost and usage (FOCUS 1.4)',
    about: 'One row for each day, pool and SKU, as tools of FinOps read it. It has days that have ended.',
    encodings: all,
  },
  focus_1_2: {
    title: 'Cost and usage (FOCUS 1.2)',
    about: 'The same for tools that read the older version.',
    encodings: all,
  },
  contract_commitments: {
    title: 'Contract commitments (FOCUS 1.4)',
    about: 'What was bought ahead.',
    encodings: all,
  },
  billing_periods: {
    title: 'Billing periods (FOCUS 1.4)',
    about: 'The months, and whether they are closed.',
    encodings: all,
  },
  ledger: { title: 'Ledger', about: 'Every movement of money, oldest first.', encodings: all },
}

/** A choice as the page has it. Both days are included. */
export type ChosenExport = {
  readonly kind: string
  readonly encoding: string
  readonly from: string
  readonly to: string
}

/** The query of the download. */
export function exportQuery({ kind, encoding, from, to }: ChosenExport): string {
  const times = { from: String(readDate(from) ?? ''), to: String((readDate(to) ?? 0) + daySeconds) }
  return new URLSearchParams({ ...times, ...whatOf(kind, encoding) }).toString()
}

function whatOf(kind: string, encoding: string): Record<string, string> {
  if (kind === 'ledger') return { format: `ledger_${encoding}` }
  if (kind === 'focus_1_2') return { format: 'focus', focus_version: '1.2', encoding }
  return { format: 'focus', ...(kind === 'focus' ? {} : { dataset: kind }), encoding }
}

/** Why these days cannot be exported; undefined if they can. */
export function exportProblem({ from, to }: Pick<ChosenExport, 'from' | 'to'>, today: number): string | undefined {
  const first = readDate(from)
  const last = readDate(to)
  if (first === undefined || last === undefined) return 'Choose the first and the last day.'
  if (last < first) return 'The last day is before the first.'
  if (last - first >= 400 * daySeconds) return 'An export has at most 400 days.'
  return first > today ? 'These days have not begun.' : undefined
}
