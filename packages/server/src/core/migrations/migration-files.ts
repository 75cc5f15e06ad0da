/**
 * Reads the migrations of the program: plain SQL files, forward only, numbered without a gap.
 * A file may say on its first line which programs work with the schema after it, by the number of their last migration:
 * `-- serves: 37`. Without the line these are only programs that have the migration. A file is one step, which runs in
 * a transaction, or is divided into steps by lines `-- step: in a transaction` and `-- step: outside a transaction`. A
 * step outside a transaction is one statement that creates or drops an index concurrently.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProblem } from '../base/start-problem.ts'
import { lineAt, type SqlStatement, splitStatements } from './sql-statements.ts'

/** A part of a migration that is applied as a whole. */
export type MigrationStep = {
  readonly sql: string
  /** The line of the file at which it begins, from 1. */
  readonly line: number
  readonly is_outside: boolean
  /** Their lines are those of the file. */
  readonly statements: readonly SqlStatement[]
}

export type Migration = {
  readonly version: number
  readonly name: string
  readonly sha256: string
  /** The oldest program that works with the schema after this migration, by its schema version. */
  readonly serves: number
  readonly steps: readonly MigrationStep[]
}

/** The index of a step that runs outside a transaction. */
export type IndexStep = { readonly is_creation: boolean; readonly index: string; readonly table: string | undefined }

/** The file name of a migration. */
export function fileName({ version, name }: { version: number; name: string }): string {
  return `${String(version).padStart(4, '0')}_${name}.sql`
}

/**
 * Reads a directory of migrations in order: NNNN_name.sql from 0001 without a gap. Ignores schema.sql. Throws
 * migrations_misnumbered or migration_invalid.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql') && file !== 'schema.sql').sort()
  return await Promise.all(
    files.map(async (file, index) => {
      const [, number, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
      if (name === undefined || Number(number) !== index + 1) {
        const expected = `${String(index + 1).padStart(4, '0')}_name.sql`
        const message = `Migrations must be numbered from 0001 without a gap: found ${file}, expected ${expected}.`
        throw startProblem('migrations_misnumbered', message)
      }
      const sql = await readFile(join(directory, file), 'utf8')
      const parsed = parseMigration(sql, index + 1)
      if ('problem' in parsed) throw startProblem('migration_invalid', `Migration ${file}, ${parsed.problem}.`)
      return { version: index + 1, name, sha256: createHash('sha256').update(sql).digest('hex'), ...parsed }
    }),
  )
}

const inTransaction = '-- step: in a transaction'
const concurrentIndex = /^(?:create (?:unique )?|drop )index concurrently /
const outside = '-- step: outside a transaction'

/**
 * The steps of a migration and which programs it serves, or what is wrong with its text, beginning with the line. Pure.
 */
export function parseMigration(
  sql: string,
  version: number,
): { serves: number; steps: MigrationStep[] } | { problem: string } {
  const lines = sql.split('\n')
  for (const [index, line] of lines.entries()) {
    if (/^\s*--\s*serves\b/i.test(line)) {
      const serves = Number(/^-- serves: ([1-9]\d{0,3})$/.exec(line)?.[1] ?? Number.NaN)
      if (index === 0 && serves <= version) continue
      return { problem: `line ${index + 1}: write \`-- serves: N\` on the first line, with N from 1 to ${version}` }
    }
    if (!/^\s*--\s*step\b/i.test(line) || line === inTransaction || line === outside) continue
    return { problem: `line ${index + 1}: a step begins with \`${inTransaction}\` or \`${outside}\`` }
  }
  const serves = Number(/^-- serves: (\d+)$/.exec(lines[0] ?? '')?.[1] ?? version)
  try {
    const steps = splitSteps(lines)
    const problem = steps.map(problemOf).find((found) => found !== undefined)
    return problem === undefined ? { serves, steps } : { problem }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

function splitSteps(lines: readonly string[]): MigrationStep[] {
  const marks = lines.flatMap((line, index) => (line === inTransaction || line === outside ? [index] : []))
  const starts = marks[0] === 0 ? marks : [0, ...marks]
  const steps = starts.map((start, at): MigrationStep => {
    const sql = lines.slice(start, starts[at + 1]).join('\n')
    const statements = splitStatements(sql).map((one) => ({ ...one, line: one.line + start }))
    return { sql, line: start + 1, is_outside: lines[start] === outside, statements }
  })
  // What stands before the first mark may be comments only.
  const [first] = steps
  return steps.length > 1 && first && first.statements.length === 0 && marks[0] !== 0 ? steps.slice(1) : steps
}

function problemOf({ is_outside, statements, line }: MigrationStep): string | undefined {
  const concurrent = statements.find(({ words }) => concurrentIndex.test(words))
  if (!is_outside) {
    return concurrent && `line ${concurrent.line}: an index is built concurrently in a step of its own: \`${outside}\``
  }
  const [statement] = statements
  if (statements.length === 1 && statement && indexOf(statement)) return undefined
  return (
    `line ${line}: a step outside a transaction is one \`create index concurrently NAME on …\` or ` +
    '`drop index concurrently if exists NAME`, because only these can be resumed'
  )
}

/** The index that a statement creates or drops concurrently; undefined for any other statement. */
export function indexOf({ words }: SqlStatement): IndexStep | undefined {
  const create = /^create (?:unique )?index concurrently (?!if |on )([^ ]+) on (?:only )?([^ ]+) /.exec(words)
  if (create) return { is_creation: true, index: create[1] as string, table: create[2] }
  const drop = /^drop index concurrently if exists ([^ ]+) $/.exec(words)
  return drop ? { is_creation: false, index: drop[1] as string, table: undefined } : undefined
}

/** The line of the file for an offset in the SQL of a step. */
export function lineOfStep({ sql, line }: MigrationStep, offset: number): number {
  return lineAt(sql, offset) + line - 1
}
