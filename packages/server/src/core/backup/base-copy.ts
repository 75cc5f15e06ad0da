/**
 * A copy of all files of a running PostgreSQL, over the replication protocol (BASE_BACKUP). It needs no program and no
 * access to the files of the server. The log that makes the copy consistent is in it.
 * Not this file's work: what the bytes mean (base-manifest.ts), where they go (start/backup-create.ts).
 */
import pg from 'pg'
import { startProblem } from '../base/start-problem.ts'
import { type DatabaseTarget, describeTarget } from '../db/database-target.ts'

/** What a server says of itself on a replication connection. */
type CopiedServer = {
  readonly system_identifier: string
  readonly timeline: number
  readonly is_standby: boolean
}

/** A part of the copy: the tar archive of the data directory, then the manifest that lists its files. */
type CopyPart = { readonly kind: 'archive' | 'manifest'; readonly bytes: Buffer }

/** Where the copy begins and ends in the log of its server. */
export type CopyEnds = { readonly start_lsn: string; readonly end_lsn: string; readonly timeline: number }

/** A running copy. `ends` resolves once all parts were read. */
export type BaseCopy = { readonly parts: AsyncIterable<CopyPart>; readonly ends: Promise<CopyEnds> }

/** A connection for one copy. */
export type CopyConnection = AsyncDisposable & {
  identify(): Promise<CopiedServer>
  /** Begins a copy under a label. The server keeps the log that the copy needs until the connection ends. */
  copy(label: string): Promise<BaseCopy>
}

/** The bytes that wait for their reader, at most. The connection is paused beyond. */
const waitingBytesMax = 4 * 2 ** 20

type CopyRow = readonly (string | null)[]

/** Opens a replication connection to one server. Throws backup_refused with what the server lacks. */
export async function openCopyConnection(target: DatabaseTarget): Promise<CopyConnection> {
  const { host, port, user, database, password, ssl } = target
  const options = { host, port, user, database, password, ssl: ssl ?? false, connectionTimeoutMillis: 10_000 }
  const client = new pg.Client({ ...options, replication: 'true', keepAlive: true } as pg.ClientConfig)
  // A connection that breaks fails its command.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw explainRefusal(error, target)
  }
  return {
    identify: async () => {
      const [[system_identifier, timeline] = []] = await runCommand(client, 'IDENTIFY_SYSTEM', target)
      const [[standby] = []] = await runCommand(client, 'SHOW in_hot_standby', target)
      return {
        system_identifier: system_identifier ?? '',
        timeline: Number(timeline),
        is_standby: standby === 'on',
      }
    },
    copy: async (label) => {
      // A slot of this connection: without it the server could remove log while the copy runs.
      const slot = `bourse_backup_${client.escapeIdentifier(label).replaceAll(/\W/g, '').toLowerCase()}`
      await runCommand(client, `CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`, target)
      const found = `LABEL ${client.escapeLiteral(label)}, CHECKPOINT 'fast', WAL, WAIT false`
      return beginCopy(client, `BASE_BACKUP (${found}, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`, target)
    },
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  }
}

/** Runs a command of the replication protocol, which knows simple queries only; returns its rows. */
async function runCommand(client: pg.Client, text: string, target: DatabaseTarget): Promise<CopyRow[]> {
  try {
    const { rows } = await client.query<string[]>({ text, rowMode: 'array' })
    return rows
  } catch (error) {
    throw explainRefusal(error, target)
  }
}

/** What the driver calls on the running query. */
type CopyQuery = {
  submit(connection: pg.Connection): void
  handleRowDescription(): void
  handleDataRow(message: { fields: CopyRow }): void
  handleCommandComplete(): void
  handleCopyData(message: { readonly chunk: Buffer }): void
  handleReadyForQuery(): void
  handleError(error: Error): void
}

function beginCopy(client: pg.Client, text: string, target: DatabaseTarget): BaseCopy {
  // The driver does not type the socket, and the socket is what can be paused.
  const { connection } = client as pg.Client & { connection: { stream: PausableSocket } }
  const queue = createPartQueue(connection.stream)
  const rows: CopyRow[] = []
  const ends = Promise.withResolvers<CopyEnds>()
  ends.promise.catch(() => {})
  let kind: CopyPart['kind'] | undefined
  const fail = (error: unknown) => {
    ends.reject(error)
    queue.end(error)
  }
  const query: CopyQuery = {
    submit: (one) => one.query(text),
    handleRowDescription: () => {},
    handleDataRow: ({ fields }) => void rows.push(fields),
    handleCommandComplete: () => {},
    handleCopyData: ({ chunk }) => {
      const type = String.fromCharCode(chunk[0] ?? 0)
      // Copied: the driver uses its buffer again.
      if (type === 'd' && kind) queue.add({ kind, bytes: Buffer.from(chunk.subarray(1)) })
      if (type === 'm') kind = 'manifest'
      if (type !== 'n') return
      kind = 'archive'
      const problem = tablespaceProblem(chunk)
      if (problem) fail(problem)
    },
    handleReadyForQuery: () => {
      const found = endsOf(rows)
      if (found instanceof Error) return fail(found)
      ends.resolve(found)
      queue.end()
    },
    handleError: (error) => fail(explainRefusal(error, target)),
  }
  client.query(query)
  return { parts: queue.parts, ends: ends.promise }
}

type PausableSocket = { pause(): unknown; resume(): unknown }

/** The parts that wait for their reader. The socket is paused while they are many. */
type PartQueue = {
  readonly parts: AsyncIterable<CopyPart>
  add(part: CopyPart): void
  /** Ends the parts, after those that wait, or at once with an error. */
  end(error?: unknown): void
}

function createPartQueue(socket: PausableSocket): PartQueue {
  const waiting: CopyPart[] = []
  const state: { bytes: number; end: { readonly error: unknown } | undefined } = { bytes: 0, end: undefined }
  let wake = () => {}
  async function* take(): AsyncGenerator<CopyPart> {
    for (;;) {
      if (state.end?.error !== undefined) throw state.end.error
      const part = waiting.shift()
      if (!part && state.end) return
      if (part) {
        state.bytes -= part.bytes.length
        if (state.bytes <= waitingBytesMax / 2) socket.resume()
        yield part
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  }
  return {
    parts: take(),
    add: (part) => {
      waiting.push(part)
      state.bytes += part.bytes.length
      if (state.bytes > waitingBytesMax) socket.pause()
      wake()
    },
    end: (error) => {
      state.end ??= { error }
      socket.resume()
      wake()
    },
  }
}

/** Reads the name of an archive that begins. Others than that of the data directory are those of tablespaces. */
function tablespaceProblem(message: Buffer): Error | undefined {
  const [name = ''] = message.subarray(1).toString('utf8').split('\0')
  if (name === 'base.tar') return undefined
  return startProblem(
    'backup_refused',
    `The database server has a tablespace outside of its data directory (${name}). Backups cover servers without.`,
  )
}

/** The rows are: start and timeline; one for each tablespace, the last one for the data directory; end and timeline. */
function endsOf(rows: readonly CopyRow[]): CopyEnds | Error {
  const [start, end] = [rows[0], rows.at(-1)]
  if (rows.length !== 3 || !start?.[0] || !end?.[0]) return new Error('The server ended its copy without a position.')
  return { start_lsn: start[0], end_lsn: end[0], timeline: Number(end[1]) }
}

const hints: Readonly<Record<string, string>> = {
  // insufficient_privilege
  '42501':
    'Run `alter role USER replication` as a superuser. pg_hba.conf needs an entry for the database "replication" too.',
  // invalid_authorization_specification: no entry of pg_hba.conf fits
  '28000':
    'A backup is a replication connection: give the user the right (`alter role USER replication`) and pg_hba.conf ' +
    'an entry for the database "replication" (`host replication USER ADDRESS scram-sha-256`); reload the server.',
  // too_many_connections, configuration_limit_exceeded: walsenders; object_not_in_prerequisite_state: wal_level
  '53300': 'Set max_wal_senders to 4 or more and restart the server.',
  '53400': 'Set max_replication_slots to 4 or more and restart the server.',
  '55000': 'Set wal_level to replica, and max_wal_senders and max_replication_slots to 4 or more.',
}

function explainRefusal(error: unknown, target: DatabaseTarget): Error {
  const { code = '', message } = error as Error & { code?: string }
  const hint = (hints[code] ?? '').replaceAll('USER', target.user)
  const text = `The backup of ${describeTarget(target)} failed: ${message}.`.replace(/\.\.$/, '.')
  return startProblem('backup_refused', hint === '' ? text : `${text} ${hint}`, error)
}
