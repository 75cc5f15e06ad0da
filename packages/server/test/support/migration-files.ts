import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

const made: string[] = []
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

/** A directory with these migrations, named by their file names; gone when the test file ends. */
export function migrationFiles(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-migrations-'))
  made.push(directory)
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(directory, name), sql)
  return directory
}
