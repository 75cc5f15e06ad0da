/** Lines for OpenSSH. Pure. */
import { shellWord } from '@bourse/text/shell.ts'

type SshAddress = { readonly hostname: string; readonly port: number }
type HostKey = { readonly key_type: string; readonly key: string }

/** Whether the machine is one of a simulated host, which has no shell. */
export function isSimulated({ hostname }: SshAddress): boolean {
  return hostname.endsWith('.invalid')
}

type NamedInstance = {
  readonly id: string
  readonly name: string
  readonly workspace: { readonly id: string }
}

/** The command of the command line: by name where names of this workspace are meant, else by id. */
export function bourseSsh({ id, name, workspace }: NamedInstance, own: string | undefined): string {
  return `bourse ssh ${workspace.id === own ? shellWord(name) : id}`
}

/** The command that logs in. A host reports its name, so it must not become an option. */
export function sshCommand({ hostname, port }: SshAddress): string {
  return `ssh -p ${port} -- ${shellWord(`root@${hostname}`)}`
}

/** The line of known_hosts: one line, whatever a host has reported. */
export function knownHosts({ hostname, port }: SshAddress, { key_type, key }: HostKey): string {
  return `[${hostname}]:${port} ${key_type} ${key}`.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '')
}
