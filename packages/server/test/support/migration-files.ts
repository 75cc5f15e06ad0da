import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** A directory with these migrations, named by their file names; removed when the test or test file that asked ends. */
export function migrationFiles(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-migrations-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(directory, name), sql)
  return directory
}
