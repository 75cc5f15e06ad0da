/** The files of the units of systemd, and what an installation does with each. Not this file's work: writing them. */
import { createHash } from 'node:crypto'

/** A file that is installed. */
export type UnitFile = {
  /** Its name in ops/systemd. */
  readonly source: string
  readonly path: string
  readonly mode: number
  /** Settings belong to the operator: they are written once and never replaced. */
  readonly is_setting: boolean
}

/** All files. What they name has to be there before them: users, then directories, then units. */
export const unitFiles: readonly UnitFile[] = [
  { source: 'bourse.sysusers.conf', path: '/etc/sysusers.d/bourse.conf', mode: 0o644, is_setting: false },
  { source: 'bourse.tmpfiles.conf', path: '/etc/tmpfiles.d/bourse.conf', mode: 0o644, is_setting: false },
  { source: 'bourse.env', path: '/etc/bourse/bourse.env', mode: 0o640, is_setting: true },
  unit('bourse-server@.service'),
  unit('bourse-agent.service'),
]

function unit(name: string): UnitFile {
  return { source: name, path: `/etc/systemd/system/${name}`, mode: 0o644, is_setting: false }
}

/** What happens to a file. `keep`: somebody has changed it since it was written, or it holds settings. */
export type FileAction = 'create' | 'update' | 'unchanged' | 'keep'

/** The program in ExecStart of the sources. */
const packagedProgram = '/usr/bin/bourse'
const mark = '# Written by `bourse install systemd`; it replaces this file while nobody has changed it. sha256:'

/** The text of a file for a program, with the mark by which a change is noticed. */
export function installedText(source: string, { is_setting }: UnitFile, program: string): string {
  const own = source.replaceAll(`=${packagedProgram} `, `=${program} `)
  return is_setting ? own : `${mark}${digest(own)}\n${own}`
}

/** What happens to a file that has a text now; undefined: it is not there. */
export function actionFor(wanted: string, present: string | undefined, { is_setting }: UnitFile): FileAction {
  if (present === undefined) return 'create'
  if (present === wanted) return 'unchanged'
  return !is_setting && isUntouched(present) ? 'update' : 'keep'
}

function isUntouched(text: string): boolean {
  if (!text.startsWith(mark)) return false
  const end = text.indexOf('\n')
  return text.slice(mark.length, end) === digest(text.slice(end + 1))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Why a unit cannot run a program, if it cannot. */
export function programProblem(words: readonly string[]): string | undefined {
  const strange = words.find((word) => !/^[\w./@+-]+$/.test(word))
  if (strange !== undefined)
    return `A unit cannot name ${strange}: its path has other characters than letters, digits and ./@+-_.`
  const closed = words.find((word) => /^\/(home|root|run\/user)\//.test(word))
  if (closed === undefined) return undefined
  return `The server may not read home directories, and ${closed} is in one.`
}
