import { createHash } from 'node:crypto'

/** The hash of the names and texts of all migrations. The files generated from them contain it. */
export function fingerprintOf(migrations: readonly { path: string; text: string }[]): string {
  const hash = createHash('sha256')
  for (const { path, text } of migrations.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${path} ${createHash('sha256').update(text).digest('hex')}\n`)
  }
  return hash.digest('hex').slice(0, 32)
}
