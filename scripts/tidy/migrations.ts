import { createHash } from 'node:crypto'
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
