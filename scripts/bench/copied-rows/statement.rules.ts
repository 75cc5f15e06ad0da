/** The one statement that writes the rows of some operations into copies of the tables. Pure. */

/** A column of a table. */
export type CopiedColumn = {
  readonly name: string
  readonly kind: 'text' | 'int4' | 'int8' | 'other'
  readonly is_indexed: boolean
  /** Whether each copy gets a new value, so that it differs from all other rows. */
  readonly is_renewed: boolean
}

/** A table that operations write. The counts are those of one operation, on average. */
export type CopiedTable = {
  /** The schema of its copy. */
  readonly schema: string
  readonly name: string
  readonly inserts: number
  readonly updates: number
  readonly deletes: number
  /** The number of rows that are copied in turn. They are the first rows of the copy. */
  readonly templates: number
  readonly columns: readonly CopiedColumn[]
  /** The columns that identify a row; empty where none do. */
  readonly key: readonly string[]
}

/** How many rows of each kind the operations with these numbers write into a table. */
export type RowCounts = { readonly inserts: number; readonly updates: number; readonly deletes: number }

/** Numbers of new rows begin here, above all that the templates have. */
export const firstNumber = 4_000_000_000_000
/** The same for a column of four bytes. */
const smallNumber = '1000000000 + n % 1000000000'

/** The rows of the operations `from` to `to`, which may be fractions of the averages: they add up over time. */
export function countsOf({ inserts, updates, deletes, templates }: CopiedTable, from: number, to: number): RowCounts {
  const between = (each: number) => Math.floor(to * each) - Math.floor(from * each)
  // No statement can change a row twice, and neither does the server when it writes several operations together.
  return { inserts: between(inserts), updates: Math.min(templates, between(updates)), deletes: between(deletes) }
}

/**
 * The statement. Its parameters are, for each table: the first number and the count of the inserted rows, then those of
 * the updated and of the deleted ones. Deleted are rows that were inserted before.
 */
export function copyStatement(tables: readonly CopiedTable[]): string {
  const parts = tables.flatMap((table, index) => {
    const numbersAt = (offset: number) => {
      const [first, count] = [index * 6 + offset, index * 6 + offset + 1]
      return `generate_series($${first}::int8, $${first}::int8 + $${count}::int8 - 1) n`
    }
    return [
      `i${index} as (${insertOf(table, numbersAt(1))})`,
      `u${index} as (${updateOf(table, numbersAt(3))})`,
      `d${index} as (${deleteOf(table, numbersAt(5))})`,
    ]
  })
  return `with ${parts.join(',\n')}\nselect 1`
}

function insertOf(table: CopiedTable, numbers: string): string {
  const names = table.columns.map(({ name }) => quote(name)).join(', ')
  const values = table.columns.map((column) => (column.is_renewed ? renewed(column) : `t.${quote(column.name)}`))
  return (
    `insert into ${copyOf(table)} (${names}) select ${values.join(', ')} ` +
    `from ${numbers} join ${templates(table)} t on ${matches(table)}`
  )
}

/** Changes first rows of the copy: one with an index, if the table has such a column and no other row is in the way. */
function updateOf(table: CopiedTable, numbers: string): string {
  const free = table.columns.filter(({ name }) => !table.key.includes(name))
  const changed = free.find(({ is_indexed, kind }) => is_indexed && (kind === 'int4' || kind === 'int8'))
  const column = changed ?? free[0] ?? table.columns[0]
  if (column === undefined) throw new Error(`The table ${table.name} has no columns.`)
  const value = changed === undefined ? `x.${quote(column.name)}` : smallNumber
  return (
    `update ${copyOf(table)} x set ${quote(column.name)} = ${value} ` +
    `from ${numbers} join ${templates(table)} t on ${matches(table)} ` +
    `where ${identifying(table, 'updates')
      .map((name) => `x.${quote(name)} = t.${quote(name)}`)
      .join(' and ')}`
  )
}

function deleteOf(table: CopiedTable, numbers: string): string {
  const same = identifying(table, 'deletes').map((name) => {
    const column = table.columns.find((one) => one.name === name)
    return `x.${quote(name)} = ${column?.is_renewed ? renewed(column) : `t.${quote(name)}`}`
  })
  return (
    `delete from ${copyOf(table)} x using ${numbers} ` +
    `join ${templates(table)} t on ${matches(table)} where ${same.join(' and ')}`
  )
}

/** The columns of an index that identifies a row. Without one, all columns serve where no row is changed. */
function identifying({ name, key, columns, ...counts }: CopiedTable, change: 'updates' | 'deletes'): readonly string[] {
  if (key.length > 0) return key
  if (counts[change] > 0) throw new Error(`Rows of ${name} are changed, and no index identifies them.`)
  return columns.map((column) => column.name)
}

function matches({ templates: count }: CopiedTable): string {
  return `t.bench_number = n % ${count}`
}

/** A value that no other row has, as long as those of ids. */
function renewed({ name, kind }: CopiedColumn): string {
  if (kind === 'other') throw new Error(`The column ${name} has a type that no new value is known for.`)
  if (kind === 'text') return `left(t.${quote(name)}, 5) || lpad(n::text, 21, '0')`
  return kind === 'int8' ? 'n' : smallNumber
}

function copyOf({ schema, name }: CopiedTable): string {
  return `${quote(schema)}.${quote(name)}`
}

function templates({ schema, name }: CopiedTable): string {
  return `${quote(schema)}.${quote(templatesName(name))}`
}

/** The table with the rows to copy. */
export function templatesName(table: string): string {
  return `${table}_templates`
}

/** A name as SQL has it. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
