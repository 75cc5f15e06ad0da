/** How to see into a machine: its console, and its secure shell. */
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

/** A piece of the console of a machine. */
export const logChunk = resource('LogChunk', {
  seqnum: integer({ min: 1, description: 'Rises by one from chunk to chunk; what the host had to drop is left out.' }),
  logged_at: timestamp(),
  data: text({ max: 5464, description: 'Base64 of at most 4,096 bytes.' }),
})
export type LogChunk = Static<typeof logChunk>

export const listInstanceLogs = endpoint({
  name: 'list_instance_logs',
  method: 'GET',
  path: '/v2/instances/:id/logs',
  area,
  summary: 'Read the console of an instance: the newest 16 MiB, until 7 days after its end.',
  description:
    'As `text/event-stream` its chunks follow as they are written: each an event with its `seqnum` as id, oldest ' +
    'first. The stream ends when the instance has ended and all is read; `limit` is the step of reading.',
  params,
  query: {
    seqnum_after: optional(integer({ min: 0, description: 'From this number on, itself included.' })),
    seqnum_before: optional(integer({ min: 0, description: 'Up to this number, itself included.' })),
    logged_after: optional(timestamp({ description: 'Logged at this time or later.' })),
    logged_before: optional(timestamp({ description: 'Logged at this time or earlier.' })),
    sort_by: optional(oneOf(['seqnum', '-seqnum'], { description: 'Oldest first, which is the default, or newest.' })),
    limit: optional(integer({ min: 1, max: 2500, default: 100, description: 'Chunks in an answer.' })),
  },
  response: resource('LogChunkList', {
    object: constant('list'),
    data: array(logChunk),
    has_more: boolean({ description: 'Whether more chunks fit; go on from the last `seqnum`.' }),
  }),
  access: 'instance:read',
  errors: ['forbidden', 'not_found', 'mutually_exclusive'],
  also_stream: true,
})

/** How to reach a machine by secure shell, and the keys to know it by. */
export const instanceSsh = resource('InstanceSsh', {
  object: constant('instance_ssh'),
  hostname: text({ max: 255 }),
  port: integer({ min: 1, max: 65_535 }),
  host_keys: array(resource('SshHostKey', { key_type: text({ max: 64 }), key: text({ max: 4096 }) })),
  keys_read_at: timestamp(),
})
export type InstanceSsh = Static<typeof instanceSsh>

export const getInstanceSsh = endpoint({
  name: 'get_instance_ssh',
  method: 'GET',
  path: '/v2/instances/:id/ssh',
  area,
  summary: 'Read how to reach an instance by secure shell; 404 until its host keys were read, and after its end.',
  params,
  response: instanceSsh,
  access: 'instance:read',
  errors: ['forbidden', 'not_found'],
})
