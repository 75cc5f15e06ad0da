import { endpoint } from '../kit/endpoint.ts'
import { array, constant, dollars, id, nullable, oneOf, resource, type Static, text, timestamp } from '../kit/schema.ts'

/** A month as statements name it. */
export function month({ description = 'A month of UTC, such as 2026-01.' } = {}) {
  return text({
    max: 7,
    pattern: '^(?:19[7-9][0-9]|[2-9][0-9]{3})-(?:0[1-9]|1[0-2])$',
    form: 'a month from 1970 on, as 2026-01',
    description,
  })
}

const sums = {
  purchases_dollars: dollars({ description: 'What purchases cost.' }),
  sales_dollars: dollars({ description: 'What sales brought, before fees.' }),
  fees_dollars: dollars({ description: 'What the fees of sales took.' }),
  credits_dollars: dollars({ description: 'The postings of the platform operator, signed.' }),
}

export const statementLine = resource(
  'StatementLine',
  'Purchases and sales of an account, of one SKU in one workspace; both null: postings of the platform operator.',
  {
    sku: nullable(id('sku', { description: 'SKU id. `null`: postings of the platform operator.' })),
    workspace: nullable(id('workspace', { description: 'Workspace id. `null`: postings of the platform operator.' })),
    ...sums,
  },
)
export type StatementLine = Static<typeof statementLine>

/** The states of a statement, and those that can follow each. */
export const statementStates = { open: { next: ['closed'] }, closed: { next: [] } } as const

export const statement = resource('Statement', 'The money of an account in one month.', {
  object: constant('statement'),
  month: month(),
  period_start: timestamp({ unit: 'period', description: 'Beginning of the month in UTC, in Unix seconds.' }),
  period_end: timestamp({ unit: 'period', description: 'End of the month, not included, in Unix seconds.' }),
  state: oneOf(['open', 'closed'], { description: 'A month closes 48 hours after its end and never changes then.' }),
  opening_balance_dollars: dollars({ description: 'The total at the beginning of the month.' }),
  closing_balance_dollars: dollars({
    description: 'The opening balance less purchases and fees, plus sales and credits.',
  }),
  ...sums,
  lines: array(statementLine, { max: 1_000_000, description: 'The same sums by SKU and workspace.' }),
})
export type Statement = Static<typeof statement>

export const getStatement = endpoint({
  name: 'get_statement',
  method: 'GET',
  path: '/preview/v2/billing/statements/:month',
  area: 'billing',
  summary: 'Get a monthly statement',
  description:
    'Shows the balance at both ends of a UTC month, and the purchases, sales, fees and postings in it. It is `open` ' +
    'until 48 hours after the end of the month; then it never changes. As `text/csv` it has a line for each entry of ' +
    '`lines`.',
  params: { month: month() },
  response: statement,
  also_csv: true,
  access: 'billing:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const operations = [getStatement] as const
