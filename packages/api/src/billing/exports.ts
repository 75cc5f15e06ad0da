import { endpoint } from '../kit/endpoint.ts'
import { oneOf, optional, text, timestamp } from '../kit/schema.ts'

/** What an export contains, and how. */
export const exportFormats = ['focus', 'ledger_csv', 'ledger_jsonl', 'ledger_parquet'] as const
/** The versions of the FOCUS specification that exports follow. */
export const focusVersions = ['1.4', '1.2'] as const
/** The datasets of a FOCUS export. */
export const focusDatasets = ['cost_and_usage', 'contract_commitments', 'billing_periods'] as const
/** How the rows of an export are written. */
export const exportEncodings = ['csv', 'jsonl', 'parquet'] as const

/** The first day of a request, and the day at which it ends. */
export const exportedDays = {
  from: timestamp({ description: 'First day: the beginning of a day in UTC, in Unix seconds.' }),
  to: timestamp({
    description: 'Day at which to end, not included: the beginning of a day in UTC, at most 400 days later.',
  }),
}

/** The response of an export. */
export const exportedRows = text({
  max: Number.MAX_SAFE_INTEGER,
  description: 'A line for each row, in CSV a header line first; or a Parquet file.',
})

export const exportUsage = endpoint({
  name: 'export_usage',
  method: 'GET',
  path: '/preview/v2/billing/export',
  area: 'billing',
  summary: 'Export usage',
  description:
    'Streams costs and usage as FOCUS, or the ledger, for up to 400 days. A FOCUS export has usage of days that ' +
    'have ended. Cells of CSV that a spreadsheet would run as a formula begin with an apostrophe.',
  query: {
    ...exportedDays,
    format: optional(oneOf(exportFormats, { description: 'Rows of FOCUS, or the ledger. Default `focus`.' })),
    focus_version: optional(
      oneOf(focusVersions, { description: 'Version of FOCUS. Default `1.4`. Only with `focus`.' }),
    ),
    dataset: optional(
      oneOf(focusDatasets, { description: 'Dataset of FOCUS. Default `cost_and_usage`. Only with `focus`.' }),
    ),
    encoding: optional(oneOf(exportEncodings, { description: 'Form of the file. Default `csv`. Only with `focus`.' })),
  },
  response: exportedRows,
  media_type: 'text/csv',
  also_media_types: ['application/jsonl', 'application/vnd.apache.parquet'],
  access: 'billing:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_range', 'not_aligned', 'forbidden', 'range_too_long', 'not_applicable'],
})

export const operations = [exportUsage] as const
