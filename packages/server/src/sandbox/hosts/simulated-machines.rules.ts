// The console log and the SSH host keys of simulated machines. Nothing listens at the SSH address. The values depend on
// the instance id only.

import { createHash } from 'node:crypto'
import { type DesiredInstance, type ReportedSsh, simulatedHostname } from '@bourse/api/fleet/agent.ts'
import type { LogChunk } from '@bourse/api/fleet/instance-access.ts'

const sshPortFirst = 20_000
const sshPorts = 10_000

/** The console log of a machine that has booted, as one chunk. `now` in seconds. */
export function bootLog(instanceId: string, now: number): LogChunk[] {
  const lines = [
    '[    0.000000] Booting a simulated machine: nothing here runs for real',
    `[    0.412000] smbios: uuid ${digestOf('uuid', instanceId).toString('hex', 0, 16)}`,
    '[    2.871000] cloud-init: user data and keys are in place',
    '[    3.105000] sshd: listening on port 22',
    `${instanceId} login: `,
  ]
  return [{ seqnum: 1, logged_at: now, data: Buffer.from(lines.join('\n')).toString('base64') }]
}

/** The SSH address of a machine, with an Ed25519 host key in the format of RFC 8709. */
export function sshOf(instanceId: string): ReportedSsh {
  const port = sshPortFirst + (digestOf('port', instanceId).readUInt16BE(0) % sshPorts)
  const key = Buffer.concat([withLength(Buffer.from('ssh-ed25519')), withLength(digestOf('key', instanceId))])
  const host_keys = [{ key_type: 'ssh-ed25519', key: key.toString('base64') }]
  return { hostname: simulatedHostname, port, host_keys }
}

/** The SSH keys of a machine that runs: a simulated image has the guest agent, so it has those that it must have. */
export function keysOf(wanted: NonNullable<DesiredInstance['ssh_keys']>) {
  return { has_channel: true, ids: wanted.map(({ id }) => id) }
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function digestOf(purpose: string, instanceId: string): Buffer {
  return createHash('sha256').update(`${purpose} ${instanceId}`).digest()
}
