/**
 * The newest timeline of the database that a program at one place has used, in a file, so that after a restart it knows
 * a replaced primary although the successor does not respond.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../base/log.ts'
import { startProblem } from '../base/start-problem.ts'
import type { SeenServer } from './server-choice.rules.ts'

/** What a program knows of the servers that it has used. */
export type SeenServers = {
  newest(): SeenServer | undefined
  /** Keeps a server that is used now, unless it is known. In the file before this returns. */
  note(server: SeenServer): void
}

/** Opens the record: a file, or none. Throws bad_configuration where the file is not a record. */
export function openSeenServers(path?: string, log?: Log): SeenServers {
  let newest = path !== undefined && existsSync(path) ? readSeen(path) : undefined
  return {
    newest: () => newest,
    note: ({ system_identifier, timeline }) => {
      if (newest?.system_identifier === system_identifier && newest.timeline === timeline) return
      newest = { system_identifier, timeline }
      if (path === undefined) return
      try {
        write(path, newest)
      } catch (err) {
        // A program whose files are read-only still has its memory, and the records in replaced servers.
        log?.warn({ err }, `The server of the database could not be kept in ${path}.`)
      }
    },
  }
}

function readSeen(path: string): SeenServer {
  try {
    const { system_identifier, timeline } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    if (typeof system_identifier === 'string' && typeof timeline === 'number') return { system_identifier, timeline }
  } catch (error) {
    throw unreadable(path, error)
  }
  throw unreadable(path)
}

function unreadable(path: string, cause?: unknown): Error {
  const message =
    `${path} does not name a server of the database. It tells a replaced primary from its successor. Remove it if ` +
    'you know that no replaced primary runs.'
  return startProblem('bad_configuration', message, cause)
}

function write(path: string, seen: SeenServer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, `${JSON.stringify(seen)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
