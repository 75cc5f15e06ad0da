/** The commit that is packed, and its time: every archive has this time, so that one commit gives the same bytes. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, runProgram } from './program.ts'

const git = (...words: string[]) => runProgram('git', words, { cwd: root }).then((printed) => printed.trim())

/** The commit in short; undefined outside of a checkout. */
export function readCommit(): Promise<string | undefined> {
  return git('rev-parse', '--short=12', 'HEAD').catch(() => undefined)
}

/** Whether files differ from the commit. */
export async function hasChanges(): Promise<boolean> {
  return (await git('status', '--porcelain')) !== ''
}

/** The seconds of the commit, or those of SOURCE_DATE_EPOCH. */
export async function readSourceDate(given = process.env.SOURCE_DATE_EPOCH): Promise<number> {
  const text = given || (await git('log', '-1', '--format=%ct').catch(() => ''))
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw new Error('The time of the commit is unknown here. Set SOURCE_DATE_EPOCH to its seconds since 1970.')
}

/** The version of the program. */
export async function readVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version
}
