import type { Catalogue, Column, Table } from './catalogue.ts'

/** The schema after all migrations as readable SQL. It is for reviews and never run. */
export function printSchema({ tables, functions, triggers }: Catalogue, fingerprint: string): string {
  const head = [
    '-- Generated from the migrations by `npm run gen`: the complete schema, for reading. Do not run or edit it.',
    `-- migrations: ${fingerprint}`,
  ]
  const parts = [
    head.join('\n'),
    ...functions.map((text) => `${unqualified(text).trim()};`),
    ...tables.map(printTable),
    ...triggers.map((text) => `${unqualified(text)};`),
  ]
  return `${parts.map(withoutTrailingSpaces).join('\n\n')}\n`
}

function printTable(table: Table): string {
  const lines = [...table.columns.map(printColumn), ...table.constraints.map(unqualified)]
  const tail = [
    table.partition_key === null ? '' : ` partition by ${table.partition_key.toLowerCase()}`,
    table.options === null ? '' : ` with (${table.options})`,
  ].join('')
  const create = `create table ${table.name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${tail};`
  const indexes = table.indexes.map((text) => `${unqualified(text)};`)
  const grants = table.grants.map(({ role, rights }) => `grant ${rights} on ${table.name} to ${role};`)
  return [create, ...indexes, ...grants].join('\n')
}

function printColumn({ name, type, collation, not_null, ...column }: Column): string {
  return [
    `${name} ${type}`,
    collation === null ? '' : ` collate "${collation}"`,
    not_null ? ' not null' : '',
    column.default === null || column.generated ? '' : ` default ${column.default}`,
    column.default === null || !column.generated ? '' : ` generated always as (${column.default}) stored`,
    column.identity === null ? '' : ` generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`,
  ].join('')
}

function unqualified(text: string): string {
  return text.replaceAll('public.', '')
}

function withoutTrailingSpaces(text: string): string {
  return text.replaceAll(/[ \t]+$/gm, '')
}
