import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { extractPreviousProgram, migrationsIn } from './program-trees.ts'

const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgSign=false']
const oldProgram = [
  'packages/server/src/core/migrations/schema-state.ts',
  'scripts/node-version.mjs',
  'package.json',
  'migrations/0001_first.sql',
]

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-program-trees-'))
  atEnd(() => rmSync(directory, { recursive: true }))
  return directory
}

function write(directory: string, path: string, text = ''): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), text)
}

function commit(directory: string): void {
  execFileSync('git', ['add', '--all'], { cwd: directory })
  execFileSync('git', [...author, 'commit', '--quiet', '--message', 'A step.'], { cwd: directory })
}

/** A program whose newest migration serves the one before it. `isCommitted`: whether the history has the migration. */
function makeHistory({ isCommitted }: { isCommitted: boolean }): string {
  const directory = makeDirectory()
  execFileSync('git', ['init', '--quiet'], { cwd: directory })
  for (const path of oldProgram) write(directory, path)
  commit(directory)
  write(directory, 'migrations/0002_second.sql', '-- serves: 1\n')
  if (isCommitted) commit(directory)
  return directory
}

test('the previous program is the one before the commit that added the newest migration', () => {
  for (const isCommitted of [true, false]) {
    const previous = extractPreviousProgram(join(makeDirectory(), 'previous'), makeHistory({ isCommitted }))
    assert.deepEqual(migrationsIn(previous ?? assert.fail('nothing was extracted')), ['0001_first.sql'])
  }
})

test('a migration that the history changed later is not part of the previous program', () => {
  const repository = makeHistory({ isCommitted: true })
  write(repository, 'migrations/0002_second.sql', '-- serves: 1\n-- changed\n')
  write(repository, 'migrations/0003_third.sql', '-- serves: 1\n')
  commit(repository)
  const previous = extractPreviousProgram(join(makeDirectory(), 'previous'), repository)
  assert.deepEqual(migrationsIn(previous ?? assert.fail('nothing was extracted')), ['0001_first.sql'])
})

test('there is no previous program to run where the newest migration serves only its own', () => {
  const repository = makeHistory({ isCommitted: true })
  write(repository, 'migrations/0002_second.sql', '-- serves: 2\n')
  assert.equal(extractPreviousProgram(join(makeDirectory(), 'previous'), repository), undefined)
})

test('a git that fails is an error, and does not let the new program pass for the old one', () => {
  const repository = makeHistory({ isCommitted: true })
  rmSync(join(repository, '.git'), { recursive: true })
  assert.throws(() => extractPreviousProgram(join(makeDirectory(), 'previous'), repository), /not a git repository/)
  // The history begins with the commit that added the migration, as in a shallow clone.
  execFileSync('git', ['init', '--quiet'], { cwd: repository })
  commit(repository)
  assert.throws(() => extractPreviousProgram(join(makeDirectory(), 'previous'), repository), /not a valid object name/)
})
