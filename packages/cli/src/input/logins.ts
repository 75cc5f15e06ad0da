/** The sign-in that `bourse login` stores: one server, one person. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '@bourse/server/config.ts'
import { usageProblem } from '../output/usage.ts'

/** A stored sign-in. */
export type Login = { readonly base_url: string; readonly token: string }

/** The file of the sign-in, which only its owner may read; undefined where there is no directory for it. */
function loginFile({ XDG_CONFIG_HOME, HOME }: Environment): string | undefined {
  const directory = XDG_CONFIG_HOME || (HOME && join(HOME, '.config'))
  return directory ? join(directory, 'bourse', 'login.json') : undefined
}

/** Refuses where a sign-in could not be stored. */
export function requireLoginFile(variables: Environment): string {
  const file = loginFile(variables)
  if (file !== undefined) return file
  throw usageProblem('There is no place to store the sign-in.', 'Set HOME or XDG_CONFIG_HOME.')
}

/** Stores a sign-in in place of the one before. */
export function storeLogin(variables: Environment, login: Login): void {
  const file = requireLoginFile(variables)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Renamed into place: a reader finds the old one or the new one, and a file of others keeps no open mode.
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(login)}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
}

/** The stored sign-in; undefined if there is none. */
export function readLogin(variables: Environment): Login | undefined {
  const file = loginFile(variables)
  if (file === undefined) return undefined
  try {
    const { base_url, token } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Login>
    return typeof base_url === 'string' && typeof token === 'string' ? { base_url, token } : undefined
  } catch {
    // Nobody has signed in here, or the file belongs to another user or program.
    return undefined
  }
}

/** Removes the stored sign-in. */
export function removeLogin(variables: Environment): void {
  const file = loginFile(variables)
  if (file !== undefined) rmSync(file, { force: true })
}
