/**
 * The protocol between host agents and the server. Agents and servers of different versions work together, so both
 * accept unknown members. Every operation except enrolment is authenticated by a token that the agent signs with the
 * key of its host.
 */
import { endpoint } from '../kit/endpoint.ts'
import { idPattern } from '../kit/ids.ts'
import {
  array,
  boolean,
  id,
  integer,
  name,
  oneOf,
  openObject,
  openResource,
  optional,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import {
  type desiredInstance,
  type desiredNetwork,
  desiredState,
  type desiredTunnel,
  reportEvery,
  tunnelFields,
} from './agent-desired.ts'
import { area, epoch, generationMax } from './agent-hardware.ts'
import { signerLengthMax } from './agent-signatures.ts'
import { machineText } from './hardware.ts'
import { hostFactFields } from './hosts.ts'

/** The `typ` of the tokens that agents sign. */
export const agentTokenType = 'bourse-agent+jwt'
/** The longest life of such a token, in seconds. */
export const agentTokenSecondsMax = 300
/** Seconds between two reports of a host. */
export const reportEverySeconds = 30

/** The longest wait of a request for the desired state, in seconds. */
export const desiredWaitSecondsMax = 55
/** The most bytes of an enrolment, and so of the facts of a host. */
export const enrolmentBytesMax = 16_384
/** How far `signed_at` of a proof of possession may be from the clock of the server, in seconds. */
export const proofSecondsMax = 300
/** Chunks of logs in one call, and the bytes of one chunk. */
export const logChunksMax = 256
export const logChunkBytesMax = 4096
/**
 * How much console output of one machine an agent sends: so many bytes at once, then so many a second. The server
 * takes twice as much before it drops. A chunk counts as `logChunkBytesMin` bytes at least.
 */
export const logBudget = { bytes_per_second: 16_384, burst_bytes: 1_048_576 } as const
export const logChunkBytesMin = 1024

/** The states in which a host reports a machine. */
export const reportedStates = ['fetching', 'starting', 'running', 'start_failed', 'unhealthy', 'stopped'] as const

/** The hostname that simulated machines report. Nothing answers there: the name is reserved (RFC 6761). */
export const simulatedHostname = 'simulated.invalid'

/**
 * The bounds of a reported SSH endpoint. Clients pass it to a secure shell and print it, and a guest chooses its keys:
 * no text of it is an option, has spaces, or has more than one line.
 */
export const sshBounds = {
  hostname: '^[A-Za-z0-9](?:[A-Za-z0-9.:-]*[A-Za-z0-9])?$',
  key_type: '^[a-z0-9](?:[a-z0-9@.-]*[a-z0-9])?$',
  key_type_max: 64,
  key: '^[A-Za-z0-9+/]+={0,2}$',
  key_max: 4096,
  keys_max: 8,
} as const

/** The SSH endpoint of a machine, with the host keys that it presented. */
export const reportedSsh = openObject(
  {
    hostname: text({
      max: 255,
      pattern: sshBounds.hostname,
      form: 'an address or the name of a host',
      examples: ['192.0.2.7', 'rack-7.example'],
      description: 'Address or name at which its SSH server can be reached.',
    }),
    port: integer({ min: 1, max: 65_535, description: 'TCP port of its SSH server.' }),
    host_keys: array(
      openObject({
        key_type: text({
          max: sshBounds.key_type_max,
          pattern: sshBounds.key_type,
          form: 'a key type of SSH, such as ssh-ed25519',
          examples: ['ssh-ed25519', 'ecdsa-sha2-nistp256'],
          description: 'Kind of key, such as `ssh-ed25519`.',
        }),
        key: text({
          max: sshBounds.key_max,
          pattern: sshBounds.key,
          form: 'base64',
          examples: ['AAAA'],
          description: 'The public key in base64.',
        }),
      }),
      { max: sshBounds.keys_max, description: 'The host keys that the machine presented.' },
    ),
  },
  { description: 'The SSH endpoint of the machine. Absent: not known yet.' },
)
export type ReportedSsh = Static<typeof reportedSsh>

const sshKeyId = idPattern('ssh_key').slice(1, -1)

/** The SSH keys of the platform that a machine has: one text, since a report has at most 10,000 values. */
const reportedKeyIds = text({
  max: 2048,
  pattern: `^(?:${sshKeyId}(?: ${sshKeyId})*)?$`,
  form: 'ids of SSH keys, separated by single spaces',
  examples: ['sshk_00000001 sshk_00000002'],
  description: 'Ids of the SSH keys that it has from the platform, separated by spaces. Absent: not known.',
})

/** The UDP port of the tunnel of a host, unless its operator chooses another. */
export const tunnelPortDefault = 14_792

export type DesiredTunnel = Static<typeof desiredTunnel>
export type DesiredNetwork = Static<typeof desiredNetwork>
export type DesiredInstance = Static<typeof desiredInstance>
export type DesiredState = Static<typeof desiredState>

/** What a host signs to prove that it holds the key with which it enrols. */
export function enrolmentProofText(signed: { enrol_token: string; public_key: string; signed_at: number }): string {
  return ['bourse-enrolment', signed.enrol_token, signed.public_key, signed.signed_at].join('\n')
}

export const enrolHost = endpoint({
  name: 'enrol_host',
  method: 'POST',
  path: '/agent/v1/enrol',
  area,
  summary: 'Enrol a host',
  description:
    'Adds the host that calls, with the secret of a permit of `create_host_enrolment`. The secret is verified ' +
    'before the rest of the body, and a permit has the rate limits of a token. Enrolling again with the same key ' +
    'returns the same host with the next epoch, and needs a `proof` that the sender holds the key, signed later ' +
    'than the last one.',
  body: openObject({
    enrol_token: text({ min: 1, max: 255, description: 'Secret of the permit.' }),
    public_key: text({
      max: 43,
      pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$',
      form: '32 bytes in base64url',
      description: 'Ed25519 public key, 32 bytes in base64url. The private key never leaves the host.',
    }),
    name: optional(name({ description: 'Name of the host. Default: a generated one.' })),
    agent_version: machineText({ min: 1, max: 64, description: 'Version of the agent.' }),
    facts: openObject(hostFactFields, { description: 'What the agent has found out about its host.' }),
    proof: optional(
      openObject(
        {
          signed_at: timestamp({
            description:
              'When it was signed, in Unix seconds by the clock of the host, and later than in its last request.',
          }),
          signature: text({
            max: 86,
            pattern: '^[A-Za-z0-9_-]{86}$',
            form: '64 bytes in base64url',
            description: 'Signature of `bourse-enrolment`, `enrol_token`, `public_key` and `signed_at`, one a line.',
          }),
        },
        { description: 'Proof that the sender holds the private key. Required if the key has enrolled before.' },
      ),
    ),
  }),
  body_bytes_max: enrolmentBytesMax,
  response: openResource('Enrolment', 'The response to an enrolment.', {
    host: id('host'),
    epoch: integer({
      min: 1,
      description: 'Number of the enrolment of the host. Each enrolment ends the earlier enrolments.',
    }),
    report_every_seconds: reportEvery,
    server_time: timestamp({ description: 'The time of the server, in Unix seconds.' }),
    audience: text({ max: 2048, description: 'The `aud` claim of the tokens that the agent signs.' }),
    agent_signers: array(text({ max: signerLengthMax, description: 'A public key as OpenSSH writes it.' }), {
      max: 16,
      description: 'Keys whose signatures the host is to accept under versions of the agent, from now on.',
    }),
  }),
  access: 'public',
  no_store: true,
  errors: [
    'authentication_error',
    'name_taken',
    'stale_enrolment',
    'rate_limited',
    'sku_not_available',
    'operator_hosts_only',
    'host_does_not_fit',
    'address_refused',
    'address_taken',
    'encryption_required',
  ],
})

export const getDesiredState = endpoint({
  name: 'get_desired_state',
  method: 'GET',
  path: '/agent/v1/desired',
  area,
  summary: 'Get the desired state',
  description:
    'Returns what the host should run: at once if it is newer than `generation`, else as soon as it changes. 204: ' +
    'nothing changed within `wait_seconds`.',
  query: {
    generation: optional(
      integer({
        min: 0,
        max: generationMax,
        description: 'The highest generation that was applied. If absent, the response comes at once.',
      }),
    ),
    wait_seconds: optional(
      integer({
        unit: 'seconds',
        min: 0,
        max: desiredWaitSecondsMax,
        default: 0,
        description: 'How long to wait for a newer generation.',
      }),
    ),
  },
  response: desiredState,
  may_be_empty: true,
  access: 'agent',
  rate: 'none',
})

export const reportHost = endpoint({
  name: 'report_host',
  method: 'POST',
  path: '/agent/v1/report',
  area,
  summary: 'Report the host',
  description:
    'Hands over the health of the host and the state of each instance on it, from which the server sets the state of ' +
    'the instances. A report is complete and safe to repeat. A report of an older epoch is refused with ' +
    '`stale_epoch`.',
  success: 200,
  body: openObject({
    epoch,
    generation: integer({ min: 0, max: generationMax, description: 'The highest generation that was applied.' }),
    health: oneOf(['healthy', 'faulted'], { description: 'Whether the host can run machines.' }),
    message: optional(text({ max: 1024, description: 'Why it cannot, for people. Control characters become spaces.' })),
    instances: array(
      openObject({
        id: id('instance'),
        generation: integer({
          min: 0,
          max: generationMax,
          description: 'The generation of the machine that was applied.',
        }),
        state: oneOf(reportedStates, { description: 'State of the machine.' }),
        reason: optional(text({ max: 255, description: 'Why it does not start, is unhealthy or has stopped.' })),
        ssh: optional(reportedSsh),
        ssh_keys: optional(reportedKeyIds),
        guest_agent: optional(
          boolean({
            description: 'Whether its guest agent responds, so that its SSH keys can be changed. Absent: no.',
          }),
        ),
      }),
      { max: 256, description: 'The machines on the host.' },
    ),
  }),
  body_bytes_max: 1_048_576,
  response: openResource('Reported', 'The response to a report.', {
    desired_generation: integer({ min: 0, description: 'The present generation of the desired state.' }),
  }),
  access: 'agent',
  rate: 'reports',
  errors: ['stale_epoch'],
})

export const declareTunnel = endpoint({
  name: 'declare_tunnel',
  method: 'PUT',
  path: '/agent/v1/tunnel',
  area,
  summary: 'Declare the tunnel',
  description:
    'Hands over the WireGuard key and port of the host; hosts that share a subnet with it learn them at once. To ' +
    'change its key, a host first declares `next_public_key`: its peers then accept both keys, and follow when the ' +
    'host uses the next one. Safe to repeat.',
  body: openObject({ epoch, ...tunnelFields }),
  response: openResource('DeclaredTunnel', 'The response to the declaration of a tunnel.', {
    address: text({ max: 15, description: 'The address of this host inside of tunnels. It never changes.' }),
  }),
  access: 'agent',
  errors: ['stale_epoch', 'tunnel_key_refused', 'tunnel_key_taken', 'tunnel_network_full'],
})

export const redeemUserDataTicket = endpoint({
  name: 'redeem_user_data_ticket',
  method: 'POST',
  is_reading: true,
  path: '/agent/v1/instances/:id/user_data',
  area,
  summary: 'Redeem a user data ticket',
  description:
    'Returns the user data of an instance that is starting on the host. The ticket is valid until the instance is ' +
    'reported running.',
  success: 200,
  params: { id: id('instance') },
  body: openObject({ ticket: text({ min: 1, max: 255, description: 'The ticket of the desired state.' }) }),
  response: openResource('RedeemedUserData', 'The user data of a machine.', {
    cloud_init_user_data: text({ max: 87_384, description: 'The user data in base64.' }),
  }),
  access: 'agent',
  no_store: true,
  errors: ['not_found'],
})

export const appendInstanceLogs = endpoint({
  name: 'append_instance_logs',
  method: 'POST',
  path: '/agent/v1/instances/:id/logs',
  area,
  summary: 'Append console output',
  description:
    'Stores chunks of the console of an instance, in the order of their numbers. Chunks that are stored already ' +
    'are skipped, so it is safe to repeat. `list_instance_logs` shows them.',
  success: 200,
  params: { id: id('instance') },
  body: openObject({
    chunks: array(
      openObject({
        seqnum: integer({ min: 1, description: 'Number of the chunk. It rises by one from chunk to chunk.' }),
        logged_at: timestamp({ description: 'When it was written, in Unix seconds.' }),
        data: text({
          max: 5464,
          pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
          code: 'invalid_base64',
          form: 'base64 in the standard alphabet, padded, without white space',
          description: 'The bytes, at most 4,096, in base64.',
        }),
      }),
      { max: logChunksMax, description: 'The chunks, in the order of their numbers.' },
    ),
  }),
  body_bytes_max: 2_097_152,
  response: openResource('AppendedLogs', 'The response to chunks of output.', {
    next_seqnum: integer({ min: 1, description: 'The number after the last stored chunk.' }),
  }),
  access: 'agent',
  errors: ['invalid_base64', 'not_found'],
})

export const operations = [
  enrolHost,
  getDesiredState,
  reportHost,
  declareTunnel,
  redeemUserDataTicket,
  appendInstanceLogs,
] as const
