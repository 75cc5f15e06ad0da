import { createHash } from 'node:crypto'
import { type MigrationStep, parseMigration } from '../../packages/server/src/core/migrations/migration-files.ts'
import {
  blockedBy,
  effectOf,
  type StatementEffect,
} from '../../packages/server/src/core/migrations/statement-effects.ts'
import type { Finding, Repository, Rule } from './source.ts'

/** A migration that others may have applied: its path and the hash of its text. */
export type Published = { path: string; sha256: string }

/** Migrations are only added: published ones do not change, and the numbers continue without a gap. */
export function migrationsOnlyAdded(published: readonly Published[]): Rule {
  return (repository) => [
    ...published.flatMap(({ path, sha256 }) => {
      const file = repository.byPath.get(path)
      if (file === undefined)
        return [{ path, line: 1, message: 'a published migration may not be removed: restore it' }]
      if (sha256Of(file.text) === sha256) return []
      return [{ path, line: 1, message: 'a published migration may not change: undo this and write the next one' }]
    }),
    ...numbering(repository),
  ]
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function isMigration(path: string): boolean {
  return /^migrations\/(?!schema\.sql$)[^/]+\.sql$/.test(path)
}

function numbering(repository: Repository): Finding[] {
  const paths = repository.files.map(({ path }) => path).filter(isMigration)
  return paths.sort().flatMap((path, index) => {
    const number = String(index + 1).padStart(4, '0')
    if (new RegExp(`^migrations/${number}_[a-z0-9_]+\\.sql$`).test(path)) return []
    return [{ path, line: 1, message: `should be migrations/${number}_name.sql: numbers continue without a gap` }]
  })
}

/** The last migration that was written before they said which programs they serve. */
const lastWithoutRules = 37
/** The first migration whose steps shut one table each. */
const firstOfOneTable = 68
const reason = /^locks: \S/
const sayWhy = 'or say why it may in a comment before it: `-- locks: …`'

/**
 * A new migration lets the replicas of the program before it go on: its first line names the oldest program that works
 * with the schema after it. A statement that keeps a table locked for longer than a moment, or takes something away,
 * has the reason in a comment before it (`-- locks: …`), as has one that waits for a table while another is shut. A
 * migration that takes something away serves fewer programs.
 */
export function migrationsKeepServing(repository: Repository): Finding[] {
  const paths = repository.files.map(({ path }) => path).filter(isMigration)
  let previous = { serves: lastWithoutRules, is_contract: false }
  return paths.sort().flatMap((path, index) => {
    if (index < lastWithoutRules) return []
    const text = repository.byPath.get(path)?.text ?? ''
    const found = findingsOf(text, index + 1, previous)
    previous = found.next
    return found.findings.map((finding) => ({ path, ...finding }))
  })
}

type Served = { readonly serves: number; readonly is_contract: boolean }

function findingsOf(
  text: string,
  version: number,
  previous: Served,
): { findings: Omit<Finding, 'path'>[]; next: Served } {
  const parsed = parseMigration(text, version)
  if ('problem' in parsed) return { findings: [{ line: 1, message: parsed.problem }], next: previous }
  const { serves, steps } = parsed
  const statements = steps.flatMap((step) => step.statements)
  const effects = statements.map((statement) => ({ statement, effect: effectOf(statement.words) }))
  const created = new Set(effects.flatMap(({ effect }) => effect.creates ?? []))
  const contract = effects.find(({ effect }) => effect.is_contract)
  const findings = effects
    .filter(({ statement }) => !statement.comments.some((comment) => reason.test(comment)))
    .flatMap(({ statement, effect }) => {
      const message = lockProblem(effect, created)
      return message === undefined ? [] : [{ line: statement.line, message }]
    })
  if (version >= firstOfOneTable) findings.push(...steps.flatMap((step) => jointLocks(step, created)))
  const isRaised = serves > previous.serves || (previous.is_contract && serves === previous.serves)
  if (!text.startsWith('-- serves: ')) {
    findings.unshift({ line: 1, message: 'name the oldest program that it serves on the first line: `-- serves: N`' })
  } else if (serves < previous.serves) {
    const message = `serves ${serves} has no effect: a migration before it serves ${previous.serves} and newer only`
    findings.unshift({ line: 1, message })
  } else if (contract && !isRaised) {
    const message = `takes something away: raise \`-- serves\` above ${previous.serves}`
    findings.push({ line: contract.statement.line, message })
  }
  return { findings, next: { serves: Math.max(serves, previous.serves), is_contract: contract !== undefined } }
}

/**
 * Statements of a step that wait for a table while another one is shut by the same transaction: then all that uses the
 * first one waits as long as the longest transaction on the second. An index stands for its table.
 */
function jointLocks({ statements }: MigrationStep, created: ReadonlySet<string>): Omit<Finding, 'path'>[] {
  let shut: string | undefined
  return statements.flatMap(({ words, line, comments }) => {
    const felt = effectOf(words)
      .locks.map((lock) => ({ mode: lock.mode, name: 'table' in lock ? lock.table : `the table of ${lock.index}` }))
      .filter(({ mode, name }) => blockedBy(mode) !== 'nothing' && !created.has(name))
    const first = shut ?? felt.find(({ mode }) => blockedBy(mode) === 'reads and writes')?.name
    const next = felt.find(({ name }) => name !== first)
    shut = first
    if (first === undefined || next === undefined || comments.some((comment) => reason.test(comment))) return []
    const remedy = 'give it a step of its own, `-- step: in a transaction`'
    const message = `waits for ${next.name} while ${first} is shut: ${remedy}, ${sayWhy}`
    return [{ line, message }]
  })
}

/** Why a statement may not run beside the replicas of the program before; undefined if it may. */
function lockProblem(
  { action, locks, work, is_contract }: StatementEffect,
  created: ReadonlySet<string>,
): string | undefined {
  const felt = locks.filter((lock) => !('table' in lock && created.has(lock.table)))
  if (work === 'unknown') return `nobody knows what \`${action}\` locks: write it differently, ${sayWhy}`
  if (is_contract) return `${action} breaks programs that use it: expand first and contract later, ${sayWhy}`
  if (felt.length === 0) return undefined
  if (action === 'create index') return `blocks writes: create the index concurrently, outside a transaction, ${sayWhy}`
  if (work === 'rows') return `${action} keeps rows locked until the end of the step, ${sayWhy}`
  const isBlocking = felt.some(({ mode }) => blockedBy(mode) !== 'nothing')
  if (work === 'none' || !isBlocking) return undefined
  return `${action} reads the whole table while others wait: add it \`not valid\` and validate it later, ${sayWhy}`
}
