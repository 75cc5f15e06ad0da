/** Access to a running machine: its console output and its SSH endpoint. */
import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  idOrPath,
  integer,
  oneOf,
  optional,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'

const area = 'instances'
const params = { id: idOrPath('instance') }
/** The most chunks of an answer. */
const logChunksPageMax = 2500

/** A page of logs is not longer, in bytes. */
export const logPageBytesMax = 1_048_576

/** What stands in the console instead of bytes that were dropped. */
export function droppedBytesText(bytes: number): string {
  return `\n[${bytes} bytes dropped]\n`
}

/** A chunk of console output. */
export const logChunk = resource('LogChunk', {
  seqnum: integer({
    min: 1,
    description: 'Increases by one from chunk to chunk. Numbers of chunks that were dropped are missing.',
  }),
  logged_at: timestamp(),
  data: text({ max: 5464, description: 'Base64 of at most 4,096 bytes.' }),
})
export type LogChunk = Static<typeof logChunk>

export const listInstanceLogs = endpoint({
  name: 'list_instance_logs',
  method: 'GET',
  path: '/v2/instances/:id/logs',
  area,
  summary: 'Read the console output of an instance: the newest 16 MiB, until 7 days after its end.',
  description:
    'An instance that for long writes more than 16 KiB a second loses output: a line `[n bytes dropped]` stands in ' +
    'its place. `GET /v2/instances/{id}/logs/stream` has the chunks as they are written, and so has this path with ' +
    '`Accept: text/event-stream`.',
  params,
  query: {
    seqnum_after: optional(integer({ min: 0, description: 'Only chunks with this number or a higher one.' })),
    seqnum_before: optional(integer({ min: 0, description: 'Only chunks with this number or a lower one.' })),
    logged_after: optional(timestamp({ description: 'Logged at this time or later.' })),
    logged_before: optional(timestamp({ description: 'Logged at this time or earlier.' })),
    sort_by: optional(
      oneOf(['seqnum', '-seqnum'], { description: '`seqnum` (the default): oldest first. `-seqnum`: newest first.' }),
    ),
    limit: optional(
      integer({
        min: 1,
        max: logChunksPageMax,
        default: 100,
        description: 'The most chunks in one response, which has at most 1 MiB.',
      }),
    ),
  },
  response: resource('LogChunkList', {
    object: constant('list'),
    data: array(logChunk, { max: logChunksPageMax }),
    has_more: boolean({ description: 'Whether more chunks match. Continue after the last `seqnum`.' }),
  }),
  access: 'instance:read',
  errors: ['forbidden', 'not_found', 'mutually_exclusive'],
  also_stream: {
    name: 'stream_instance_logs',
    path: '/v2/instances/:id/logs/stream',
    summary: 'Stream the console output of an instance as it is written.',
    description:
      'The chunks of `list_instance_logs`, oldest first, as server-sent events whose id is their `seqnum`. The ' +
      'stream ends after the last chunk of an instance that has ended. `limit` is the number of chunks that are read ' +
      'at a time. An account may have `event_streams` streams open.',
  },
})

/** The SSH endpoint of a machine and its host keys. */
export const instanceSsh = resource('InstanceSsh', {
  object: constant('instance_ssh'),
  hostname: text({ max: 255 }),
  port: integer({ min: 1, max: 65_535 }),
  host_keys: array(resource('SshHostKey', { key_type: text({ max: 64 }), key: text({ max: 4096 }) }), { max: 8 }),
  keys_read_at: timestamp(),
})
export type InstanceSsh = Static<typeof instanceSsh>

export const getInstanceSsh = endpoint({
  name: 'get_instance_ssh',
  method: 'GET',
  path: '/v2/instances/:id/ssh',
  area,
  summary: 'Read the SSH endpoint of an instance. 404 until its host keys are known, and after its end.',
  params,
  response: instanceSsh,
  access: 'instance:read',
  errors: ['forbidden', 'not_found'],
})

export const operations = [listInstanceLogs, getInstanceSsh] as const
