import { type IdKind, kinds } from '../../packages/api/src/kit/ids.ts'
import type { Catalogue, Column, Table } from './catalogue.ts'

/** TypeScript types of the rows of every table, as the driver of core/db/db.ts reads them. */
export function printTables({ tables }: Catalogue, fingerprint: string): string {
  const parts = [
    [
      '// Generated from the migrations by `npm run gen`: rows as core/db/db.ts reads them. Do not edit.',
      `// migrations: ${fingerprint}`,
    ].join('\n'),
    "import type { Id } from '@bourse/api/kit/ids.ts'",
    ['export type Tables = {', ...tables.map(printRow), '}'].join('\n'),
    [
      '/** A row of a table with all columns. Statements that read fewer columns use a `Pick` of it. */',
      'export type Row<T extends keyof Tables> = Tables[T]',
    ].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

function printRow({ name, columns }: Table): string {
  const members = columns.map((column) => {
    const value = idType(name, column) ?? valueType(column)
    return `    ${column.name}: ${value}${column.not_null ? '' : ' | null'}`
  })
  return [`  ${name}: {`, ...members, '  }'].join('\n')
}

/** The id type of a column: `id` of the table of a kind, and `<kind>_id` of any table, contain ids of that kind. */
function idType(table: string, { name, type }: Column): string | undefined {
  const kind = (Object.keys(kinds) as IdKind[]).find((one) =>
    name === 'id' ? table === `${one}s` : name === `${one}_id`,
  )
  return kind === undefined || type !== 'text' ? undefined : `Id<'${kind}'>`
}

const plainTypes: Readonly<Record<string, string>> = {
  text: 'string',
  uuid: 'string',
  inet: 'string',
  cidr: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  numeric: 'bigint',
  'double precision': 'number',
  json: 'unknown',
  jsonb: 'unknown',
  bytea: 'Buffer',
  date: 'Date',
}

/**
 * The TypeScript type of a column. Money is read as `column::numeric as column`, so a `…_micros` column is a bigint.
 */
export function valueType({ name, type }: Pick<Column, 'name' | 'type'>): string {
  if (type.endsWith('[]')) return `${valueType({ name, type: type.slice(0, -2) })}[]`
  if (type === 'bigint' && name.endsWith('_micros')) return 'bigint'
  // The driver reads numeric as integers and refuses decimals, so only SQL can use such a column.
  if (/^numeric\(\d+,[1-9]\d*\)$/.test(type)) return 'never'
  const known = plainTypes[type.replace(/\(.*\)$/, '').replace(/^character varying$/, 'text')]
  if (known === undefined) {
    throw new Error(
      `Column ${name} has the type ${type}: time is bigint seconds, money bigint micros; otherwise add the type here.`,
    )
  }
  return known
}
