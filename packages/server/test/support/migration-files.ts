import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../../../../test/at-end.ts'

/** Creates a directory with migrations, by file name. It is removed at the end of the calling test or test file. */
export function migrationFiles(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-migrations-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(directory, name), sql)
  return directory
}
