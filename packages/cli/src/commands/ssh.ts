/** `bourse ssh`: opens a secure shell on an instance and verifies its keys by those that the host reported. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simulatedHostname, sshBounds } from '@bourse/api/fleet/agent.ts'
import { NotFoundError } from '@bourse/sdk/errors.ts'
import { pause } from '@bourse/text/time/pause.ts'
import type { Command } from 'commander'
import { resolveReference } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { shellEnded } from '../output/quiet-ends.ts'
import { printsNoRows } from '../output/rows/without-rows.ts'
import { usageProblem } from '../output/usage.ts'
import { whileWaiting } from '../output/waits.ts'

type ShellSession = Pick<Session, 'client' | 'terminal'>
type SshClient = Session['client']
type InstanceSsh = Awaited<ReturnType<SshClient['instances']['getSsh']>>
type SshInstanceId = `inst_${string}`
type SshOptions = GlobalOptions & { user: string; identity?: string; wait?: boolean }

const pollMilliseconds = 1_000
const longestMilliseconds = 600_000

/** Adds the command. */
export function addSsh(program: Command, context: CommandContext): void {
  const command = printsNoRows(program.command('ssh'))
    .description('Open a secure shell on an instance. Its host keys are verified.')
    .argument('<id>', 'Instance: name, id or path.')
    .argument('[words...]', 'Command to run. Put -- before words that begin with a dash.')
    .option('-l, --user <name>', 'User to log in as.', 'root')
    .option('-i, --identity <file>', 'Private key file.')
    .option('-w, --wait', 'Wait until the secure shell is available, for example on a new instance.')
    .addHelpText('after', '\nExamples:\n  $ bourse ssh trainer --wait\n  $ bourse ssh trainer -l debian -- uptime')
  command.action(async (typed: string, words: string[]) => {
    const options = command.optsWithGlobals<SshOptions>()
    const session = openSession(context, options)
    const id = (await resolveReference(session.lookup, 'instance', typed)) as SshInstanceId
    await openShell(session, { ...options, id, name: typed, words })
  })
}

/** A shell to open: on which instance, as it was named, and with what. */
type WantedShell = Pick<SshOptions, 'user' | 'identity' | 'wait'> & {
  readonly id: SshInstanceId
  readonly name: string
  /** The command to run. None: a shell. */
  readonly words: readonly string[]
}

/** Opens a shell with the host keys that the server knows. Ends with the code of `ssh` where that is not 0. */
async function openShell(session: ShellSession, shell: WantedShell): Promise<void> {
  const address = await findShell(session, shell)
  if (address.hostname === simulatedHostname) throw usageProblem(...simulatedTexts(shell.name), 'failed')
  await enterShell(address, shell)
}

/** The address of a shell, with its host keys. With `wait`, as soon as the host has reported it. */
export async function findShell(
  { client, terminal }: ShellSession,
  { id, wait: waits }: Pick<WantedShell, 'id' | 'wait'>,
): Promise<InstanceSsh> {
  const wait = { what: `Waiting for the secure shell of ${id}.`, stays: 'the instance' }
  if (waits) return whileWaiting(terminal, wait, () => untilItAnswers(client, id))
  return client.instances.getSsh(id).catch(explainAbsence)
}

/** What there is instead of the shell of a simulated machine. */
export function simulatedTexts(name: string): readonly [why: string, remedy: string] {
  return [
    `${name} is simulated: it runs on a simulated host of the sandbox and has no shell.`,
    `\`bourse instances logs ${name}\` shows its console. Hosts that you enrol run real instances.`,
  ]
}

/** Runs `ssh` with the host keys of an address and no others. Ends with its code where that is not 0. */
export async function enterShell({ hostname, port, host_keys }: InstanceSsh, shell: WantedShell): Promise<void> {
  // The host reports it. It must neither be an option nor add lines to the file of known hosts.
  if (!new RegExp(sshBounds.hostname).test(hostname)) throw usageProblem('The host reported no valid address.')
  const directory = mkdtempSync(join(tmpdir(), 'bourse-ssh-'))
  try {
    const known = join(directory, 'known_hosts')
    writeFileSync(known, host_keys.map(({ key_type, key }) => `[${hostname}]:${port} ${key_type} ${key}\n`).join(''))
    const checks = ['-o', `UserKnownHostsFile=${known}`, '-o', 'StrictHostKeyChecking=yes', '-p', String(port)]
    const identity = shell.identity === undefined ? [] : ['-i', shell.identity]
    const child = spawn('ssh', [...checks, ...identity, `${shell.user}@${hostname}`, ...shell.words], {
      stdio: 'inherit',
    })
    const [code] = await once(child, 'close').catch(() => {
      throw usageProblem('The program `ssh` is not installed.', 'Install an OpenSSH client.')
    })
    if (code !== 0) throw shellEnded(code ?? 1)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Says what to do where an instance has no shell yet. Other errors stay. */
function explainAbsence(error: unknown): never {
  if (!(error instanceof NotFoundError) || !error.message.includes('no shell')) throw error
  const isEarly = error.message.includes('no shell yet')
  throw usageProblem(error.message, isEarly ? 'Add --wait to wait for it.' : undefined, 'not_found')
}

/** Waits until the host has reported the keys of an instance; fails where the instance has ended. */
async function untilItAnswers(client: SshClient, id: SshInstanceId): Promise<InstanceSsh> {
  for (let waited = 0; ; waited += pollMilliseconds) {
    try {
      return await client.instances.getSsh(id)
    } catch (error) {
      if (!(error instanceof NotFoundError) || waited >= longestMilliseconds) throw error
      const { state } = await client.instances.get(id)
      if (state === 'failed' || state === 'terminated') return explainAbsence(error)
      await pause(pollMilliseconds)
    }
  }
}
