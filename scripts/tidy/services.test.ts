import assert from 'node:assert/strict'
import { test } from 'vitest'
import { printServices } from '../gen/services-table.ts'
import { servicesAreDescribed } from './services.ts'
import { check } from './snippets.ts'

const declared = (member: string) =>
  `declare module '../../core/work/services.ts' {\n  interface Services {\n${member}\n  }\n}\n`
const type = '/** The books in memory, by SKU. Each has a version. */\nexport type Books = Map<string, object>\n'
const files = {
  'packages/server/src/market/orders/order-batches.service.ts': declared(
    '    /**\n     * The queue of orders: they wait for\n     * a transaction.\n     */\n    readonly queue: Queue',
  ),
  'packages/server/src/market/trading/books.service.ts': type + declared('    readonly books: RememberedValue<Books>'),
  'packages/server/src/fleet/agents/reports.service.ts': declared('    readonly reports: Reports'),
}

test('the members of services are listed by area, with the sentence of their comment or of their type', () => {
  const begin = '<!-- Written by `npm run gen` from the declarations of Services. -->'
  const page = `Before.\n${begin}\nold\n<!-- End of the table. -->\nAfter.\n`
  const printed = printServices(new Map([...Object.entries(files), ['docs/architecture.md', page]]))
  assert.deepEqual(printed.get('docs/architecture.md')?.split('\n').slice(2, -3), [
    '| Area | Member | What it is |',
    '|---|---|---|',
    '| market | `books` | The books in memory, by SKU. |',
    '| market | `queue` | The queue of orders: they wait for a transaction. |',
    '| fleet | `reports` |  |',
  ])
})

test('a member of services without a comment is reported', () => {
  assert.deepEqual(check([servicesAreDescribed], files), [
    'packages/server/src/fleet/agents/reports.service.ts:3 say in a comment what the service reports is for',
  ])
})
