/**
 * The newest timeline of the database that a program at one place has used, in a file, so that after a restart it knows
 * a replaced primary although the successor does not respond.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../base/log.ts'
import { startProblem } from '../base/start-problem.ts'
import type { SeenServer } from './server-choice.rules.ts'

/** What a program knows of the servers that it has used. */
export type SeenServers = {
  newest(): SeenServer | undefined
  /** Keeps a server that is used now. It is in the file before this returns, unless the file cannot be written. */
  note(server: SeenServer): void
}

/** Opens the record: a file, or none. Throws bad_configuration where the file is not a record. */
export function openSeenServers(path?: string, log?: Log): SeenServers {
  const seen = recallSeenServers(path)
  let kept = seen.newest()
  let warnedOf: SeenServer | undefined
  return {
    newest: seen.newest,
    note: (server) => {
      seen.note(server)
      if (path === undefined || isSame(kept, server)) return
      const { system_identifier, timeline } = server
      try {
        write(path, { system_identifier, timeline })
        kept = server
      } catch (err) {
        // A program whose files are read-only still has its memory, and the records in replaced servers. The next
        // connection tries again.
        if (!isSame(warnedOf, server)) log?.warn({ err }, `The server of the database could not be kept in ${path}.`)
        warnedOf = server
      }
    },
  }
}

/** Reads a record, for a tool: it belongs to the server beside it, and perhaps to another user, so nothing is kept. */
export function recallSeenServers(path?: string): SeenServers {
  let newest = path !== undefined && existsSync(path) ? readSeen(path) : undefined
  return {
    newest: () => newest,
    note: ({ system_identifier, timeline }) => {
      newest = { system_identifier, timeline }
    },
  }
}

function isSame(one: SeenServer | undefined, other: SeenServer): boolean {
  return one?.system_identifier === other.system_identifier && one.timeline === other.timeline
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
  const directory = dirname(path)
  mkdirSync(directory, { recursive: true })
  // Workers share the file. One that has not heard of a promotion must not replace what another one knows of it.
  if (isOlder(seen, existsSync(path) ? readSeen(path) : undefined)) return
  // An empty file would stop the start: the name must not be on disk before the content.
  const draft = `${path}.${process.pid}.new`
  try {
    writeFileSync(draft, `${JSON.stringify(seen)}\n`, { mode: 0o600, flush: true })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  sync(directory)
}

function isOlder(seen: SeenServer, kept: SeenServer | undefined): boolean {
  return kept?.system_identifier === seen.system_identifier && kept.timeline > seen.timeline
}

function sync(directory: string): void {
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
