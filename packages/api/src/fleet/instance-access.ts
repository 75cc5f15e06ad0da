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

export const logChunk = resource('LogChunk', 'A chunk of console output.', {
  seqnum: integer({
    min: 1,
    description: 'Increases by one from chunk to chunk. Numbers of chunks that were dropped are missing.',
  }),
  logged_at: timestamp({ description: 'When it was written, in Unix seconds.' }),
  data: text({ max: 5464, description: 'The bytes, at most 4,096, in base64.' }),
})
export type LogChunk = Static<typeof logChunk>

export const listInstanceLogs = endpoint({
  name: 'list_instance_logs',
  method: 'GET',
  path: '/v2/instances/:id/logs',
  area,
  summary: 'List console output',
  description:
    'Shows the newest 16 MiB of the console of an instance, until 7 days after its end. An instance that writes more ' +
    'than 16 KiB a second for long loses output: a line `[n bytes dropped]` stands in its place. ' +
    '`stream_instance_logs` sends the chunks as they are written, and so does this path with `Accept: ' +
    'text/event-stream`.',
  params,
  query: {
    seqnum_after: optional(integer({ min: 0, description: 'Only chunks with this number or a higher one.' })),
    seqnum_before: optional(integer({ min: 0, description: 'Only chunks with this number or a lower one.' })),
    logged_after: optional(timestamp({ description: 'Only output of this time or later, in Unix seconds.' })),
    logged_before: optional(timestamp({ description: 'Only output of this time or earlier, in Unix seconds.' })),
    sort_by: optional(
      oneOf(['seqnum', '-seqnum'], {
        description: 'Order of the chunks. `seqnum`, the default: oldest first. `-seqnum`: newest first.',
      }),
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
  response: resource('LogChunkList', 'Chunks of console output.', {
    object: constant('list'),
    data: array(logChunk, { max: logChunksPageMax, description: 'The chunks, in the order of the request.' }),
    has_more: boolean({ description: 'Whether more chunks match. Continue after the last `seqnum`.' }),
  }),
  access: 'instance:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found', 'mutually_exclusive'],
  also_stream: {
    name: 'stream_instance_logs',
    path: '/v2/instances/:id/logs/stream',
    summary: 'Stream console output',
    description:
      'Sends the chunks of `list_instance_logs`, oldest first, as server-sent events whose id is their `seqnum`. ' +
      'The stream ends after the last chunk of an instance that has ended. `limit` is the number of chunks that ' +
      'are read at a time. An account may have `event_streams` streams open.',
  },
})

const sshHostKey = resource('SshHostKey', 'An SSH host key, by which clients recognize an instance.', {
  key_type: text({ max: 64, description: 'Kind of key, such as `ssh-ed25519`.' }),
  key: text({ max: 4096, description: 'The public key in base64, as in a file of known hosts.' }),
})

export const instanceSsh = resource('InstanceSsh', 'The SSH endpoint of an instance and its host keys.', {
  object: constant('instance_ssh'),
  hostname: text({ max: 255, description: 'Address or name to connect to.' }),
  port: integer({ min: 1, max: 65_535, description: 'TCP port.' }),
  host_keys: array(sshHostKey, {
    max: 8,
    description: 'The host keys of the instance. Accept no other keys.',
  }),
  keys_read_at: timestamp({ description: 'When its host reported the keys, in Unix seconds.' }),
})
export type InstanceSsh = Static<typeof instanceSsh>

export const getInstanceSsh = endpoint({
  name: 'get_instance_ssh',
  method: 'GET',
  path: '/v2/instances/:id/ssh',
  area,
  summary: 'Get SSH access',
  description:
    'Shows the address of an instance for SSH, and its host keys. 404 until the host keys are known, and after the ' +
    'end of the instance.',
  params,
  response: instanceSsh,
  access: 'instance:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const operations = [listInstanceLogs, getInstanceSsh] as const
