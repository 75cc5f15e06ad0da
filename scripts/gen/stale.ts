import { isMigration } from '../tidy/migrations.ts'
import { fingerprintOf } from './fingerprint.ts'
import { schemaPath, tablesPath } from './paths.ts'

/** Generated files that are out of date, as far as that can be checked without a database. */
export function staleFiles(texts: ReadonlyMap<string, string>, printed: ReadonlyMap<string, string>): string[] {
  const migrations = [...texts].filter(([path]) => isMigration(path)).map(([path, text]) => ({ path, text }))
  const mark = `migrations: ${fingerprintOf(migrations)}`
  const differing = [...printed].filter(([path, text]) => texts.get(path) !== text).map(([path]) => path)
  const schema = [schemaPath, tablesPath].filter((path) => !texts.get(path)?.includes(mark))
  return [...differing, ...schema]
}
