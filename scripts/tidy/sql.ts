import { fileAddress, isTypeScript } from './house.ts'
import type { Finding, Repository, Rule, Source } from './source.ts'

export const sqlRules: readonly Rule[] = [sqlInStores, oneOwnerPerTable, timeAndChanceComeIn]

/** The beginnings of statements. The lower case distinguishes them from sentences. */
const beginnings = [
  /with\s+(?:recursive\s+)?\w+\s+as\s/,
  /select\s[\s\S]*\sfrom\s/,
  /insert\s+into\s/,
  /update\s+\w+\s[\s\S]*\bset\s/,
  /delete\s+from\s/,
]
const statement = new RegExp(`^\\s*(?:${beginnings.map(({ source }) => source).join('|')})`)

const writes = /\b(?:insert\s+into|delete\s+from|update(?:\s+only)?)\s+([a-z_][a-z0-9_]*)\b(?=([\s\S]{0,60}))/g

/** SQL is allowed in stores, audits, figures and core only. */
export function sqlInStores(repository: Repository): Finding[] {
  return serverSource(repository).flatMap((file) => {
    const { role, area } = fileAddress(file.path)
    if (role === 'store' || role === 'audit' || role === 'figures' || area === 'core') return []
    return file.texts
      .filter(({ value }) => statement.test(value))
      .map(({ line }) => ({ path: file.path, line, message: 'SQL belongs in a *.store.ts: move the statement there' }))
  })
}

/** One area writes a table. Other areas read it only in audits. */
export function oneOwnerPerTable(repository: Repository): Finding[] {
  const writers = new Map<string, { area: string; path: string; line: number }[]>()
  for (const file of serverSource(repository)) {
    const { area } = fileAddress(file.path)
    for (const { value, line } of file.texts.filter((text) => statement.test(text.value))) {
      for (const table of tablesWritten(value)) {
        writers.set(table, [...(writers.get(table) ?? []), { area, path: file.path, line }])
      }
    }
  }
  return [...writers].flatMap(([table, all]) => {
    const owner = all[0]
    const others = all.filter(({ area }) => area !== owner?.area)
    return others.map(({ path, line }) => ({
      path,
      line,
      message: `table ${table} is written by ${owner?.area} (${owner?.path}): let one area own it and offer a service`,
    }))
  })
}

/** Tables that a statement inserts into, updates or deletes from. */
export function tablesWritten(sql: string): string[] {
  return [...sql.matchAll(writes)].flatMap(([whole, table = '', after = '']) => {
    const isUpdate = whole.startsWith('update')
    if (isUpdate && (table === 'set' || table === 'skip' || table === 'of' || table === 'nowait')) return []
    if (isUpdate && !/^\s+(?:(?:as\s+)?[a-z_]+\s+)?set\s/.test(after)) return []
    return [table]
  })
}

const impureFunctions = 'now|random|gen_random_uuid|uuidv4|uuidv7|clock_timestamp|statement_timestamp'
const impure = new RegExp(`(?<![\\w.])(?:${impureFunctions})\\s*\\(\\s*\\)|\\bcurrent_(?:timestamp|date)\\b`)

/** The only SQL that may read the clock of the machine: the migration that defines the business clock. */
const clockHome = /create (?:or replace )?function bourse_now\b/

/** Times and random values are parameters of statements, so that a simulation controls them. */
export function timeAndChanceComeIn(repository: Repository): Finding[] {
  const message = 'SQL may not read the clock or use randomness: pass ctx.now, or an id from ctx.newId, as a parameter'
  const migrations = repository.files.filter(({ path }) => /^migrations\/\d/.test(path))
  return [
    ...migrations
      .filter(({ text }) => !clockHome.test(text))
      .flatMap((file) =>
        file.lines.flatMap((line, index) =>
          impure.test(line.replace(/--.*/, '')) ? [{ path: file.path, line: index + 1, message }] : [],
        ),
      ),
    ...serverSource(repository).flatMap((file) =>
      file.texts
        .filter(({ value }) => statement.test(value) && impure.test(value) && !ofTheProgramItself(file.path))
        .map(({ line }) => ({ path: file.path, line, message })),
    ),
  ]
}

/** There is no business clock before the schema exists, so the migrator and the check of settings use real time. */
function ofTheProgramItself(path: string): boolean {
  return /\/core\/(db\/database-settings|migrations\/apply-migration)\.ts$/.test(path)
}

function serverSource(repository: Repository): Source[] {
  return repository.files.filter(({ path }) => {
    const place = fileAddress(path)
    return isTypeScript(path) && place.home === 'server' && place.side === 'src' && !place.isTest
  })
}
