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
import { type CommandContext, type GlobalOptions, openSession } from '../input/session.ts'
import { shellEnded } from '../output/quiet-ends.ts'
import { printsNoRows } from '../output/rows/without-rows.ts'
import { usageProblem } from '../output/usage.ts'
import { whileWaiting } from '../output/waits.ts'

type SshClient = ReturnType<typeof openSession>['client']
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
    const { client, lookup, terminal } = openSession(context, options)
    const id = (await resolveReference(lookup, 'instance', typed)) as SshInstanceId
    const wait = { what: `Waiting for the secure shell of ${id}.`, stays: 'the instance' }
    const { hostname, port, host_keys } = await (options.wait
      ? whileWaiting(terminal, wait, () => untilItAnswers(client, id))
      : client.instances.getSsh(id).catch(explainAbsence))
    if (hostname === simulatedHostname) {
      throw usageProblem(
        `${typed} is simulated: it runs on a simulated host of the sandbox and has no shell.`,
        `\`bourse instances logs ${typed}\` shows its console. Hosts that you enrol run real machines.`,
        'failed',
      )
    }
    // The host reports it. It must neither be an option nor add lines to the file of known hosts.
    if (!new RegExp(sshBounds.hostname).test(hostname)) throw usageProblem('The host reported no valid address.')
    const directory = mkdtempSync(join(tmpdir(), 'bourse-ssh-'))
    try {
      const known = join(directory, 'known_hosts')
      writeFileSync(known, host_keys.map(({ key_type, key }) => `[${hostname}]:${port} ${key_type} ${key}\n`).join(''))
      const checks = ['-o', `UserKnownHostsFile=${known}`, '-o', 'StrictHostKeyChecking=yes', '-p', String(port)]
      const identity = options.identity === undefined ? [] : ['-i', options.identity]
      const child = spawn('ssh', [...checks, ...identity, `${options.user}@${hostname}`, ...words], {
        stdio: 'inherit',
      })
      const [code] = await once(child, 'close').catch(() => {
        throw usageProblem('The program `ssh` is not installed.', 'Install an OpenSSH client.')
      })
      if (code !== 0) throw shellEnded(code ?? 1)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
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
