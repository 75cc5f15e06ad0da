// Prints RELIABILITY.md, the track record and the versions that fit: npm run reliability. With names of promises or
// faults it first runs their commands and records what they came to: npm run reliability -- G3 F12. Exits with 1 where
// one failed.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faults } from './reliability/faults.ts'
import { commandOf, printReliability, printTrackRecord, reliabilityPath, trackRecordPath } from './reliability/pages.ts'
import { promiseGroups } from './reliability/promises.ts'
import { type RecordedResult, readResults, resultsPath, storeResult } from './reliability/results.ts'
import { printVersions, versionsPath } from './reliability/versions.ts'

const root = join(import.meta.dirname, '..')
const promises = promiseGroups.flatMap((group) => group.promises)

const words = process.argv.slice(2)
const unknown = words.filter((word) => !commandsOf(word))
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}: name promises of ${reliabilityPath} or faults of ${trackRecordPath}.`,
  )
  process.exit(2)
}
if (words.length > 0) refuseChanges()
for (const word of words) for (const command of commandsOf(word) ?? []) run(word, command)
writeIfNew(reliabilityPath, printReliability(readResults(root)))
writeIfNew(trackRecordPath, printTrackRecord())
writeIfNew(versionsPath, await printVersions(root))

/** The commands of a promise or a fault, each as its words. */
function commandsOf(word: string): string[][] | undefined {
  const promise = promises.find(({ id }) => id === word)
  if (promise) return promise.evidence.map((one) => commandOf(one).split(' '))
  const fault = faults.find(({ id }) => id === word)
  return fault && [['npx', 'vitest', 'run', fault.file, '-t', fault.title]]
}

/** A result names its commit, so only what is committed may run. */
function refuseChanges(): void {
  const printed = [resultsPath, reliabilityPath, trackRecordPath]
  const changed = git('status', '--porcelain')
    .split('\n')
    .map((line) => line.slice(3))
    .filter((path) => path !== '' && !printed.includes(path))
  if (changed.length === 0) return
  console.error(`Commit first: a result names the commit that it is of. Changed: ${changed.join(', ')}`)
  process.exit(2)
}

function run(word: string, command: readonly string[]): void {
  console.log(`${word}: ${command.join(' ')}`)
  const result = command[0] === 'npx' ? runTests(command) : runScript(command)
  if (!result.passed) process.exitCode = 1
  // Results of faults are those of single tests, which the page does not show.
  if (word.startsWith('G')) storeResult(root, command.join(' '), result)
}

function runTests(command: readonly string[]): RecordedResult {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-reliability-'))
  const file = join(directory, 'result.json')
  const more = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { status } = spawnSync('npx', [...command.slice(1), ...more], { cwd: root, stdio: 'inherit' })
  const counted = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  rmSync(directory, { recursive: true })
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, numPendingTests: left_out = 0 } = counted
  return { ...present(), passed: status === 0 && passed > 0, tests: { passed, failed, left_out } }
}

function runScript([program = '', ...options]: readonly string[]): RecordedResult {
  const { status, stdout } = spawnSync(program, options, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  })
  const lines = String(stdout).trim().split('\n')
  console.log(lines.join('\n'))
  return { ...present(), passed: status === 0, figures: (lines.at(-1) ?? '').slice(0, 300) }
}

function present(): { date: string; commit: string } {
  return { date: new Date().toISOString().slice(0, 10), commit: git('rev-parse', '--short=8', 'HEAD').trim() }
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root }).toString()
}

function writeIfNew(path: string, text: string): void {
  const file = join(root, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writeFileSync(file, text)
  console.log(`wrote ${path}`)
}
