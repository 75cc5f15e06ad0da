/** `agent update`: one run of the updater beside the agent. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Command, Option } from 'commander'
import { firstPauseMilliseconds } from '../update/download.rules.ts'
import { type AgentCommandContext, logOf } from './command-context.ts'
import { wholeNumber } from './command-flags.ts'

type UpdateFlags = {
  directory: string
  root: string
  signersFile?: string
  restartCommand: string
  waitSeconds: number
}

const operatorsSigners = '/etc/bourse/agent-signers'
/** Longer than the unit of the agent may take to start. */
const restartMilliseconds = 960_000
const run = promisify(execFile)

/** Adds `agent update`. */
export function addUpdateCommand(group: Command, directory: string, context: AgentCommandContext): void {
  group
    .command('update')
    .description('Ask the server which version of the agent to run, and switch to it. A timer runs this each minute.')
    .option('--directory <path>', 'Directory of the key, the journal and the images of the agent.', directory)
    .option(
      '--root <path>',
      'Folder of the versions, with the links current and updater.',
      '/usr/local/lib/bourse-agent',
    )
    .option(
      '--signers-file <path>',
      `Keys that may sign versions. Default: ${operatorsSigners}, else the file of the enrolment.`,
    )
    .option('--restart-command <command>', 'Restarts the agent.', 'systemctl restart bourse-agent.service')
    .addOption(
      new Option('--wait-seconds <seconds>', 'How long the agent has to report after its restart.')
        .argParser(wholeNumber(1, 3_600))
        .default(300),
    )
    .addHelpText('after', '\nExample:\n  $ bourse agent update')
    .action((flags: UpdateFlags) => update(context, flags))
}

async function update(context: AgentCommandContext, flags: UpdateFlags): Promise<void> {
  const { directory, root, restartCommand } = flags
  const { updateAgent } = await import('../update/updater.ts')
  const stopped = new AbortController()
  void context.stopSignal().then(() => stopped.abort())
  const ofEnrolment = join(directory, 'agent-signers')
  await updateAgent(
    {
      root,
      directory,
      signers_file: flags.signersFile ?? (existsSync(operatorsSigners) ? operatorsSigners : ofEnrolment),
      restart: () => restart(restartCommand),
      wait_seconds: flags.waitSeconds,
      pause_milliseconds: firstPauseMilliseconds,
      otherwise: import.meta.dirname.startsWith('/usr/lib/') ? 'package' : 'none',
      log: logOf(context),
    },
    stopped.signal,
  )
}

/** The command is that of the operator of the host, so a shell reads it. */
async function restart(command: string): Promise<void> {
  await run('/bin/sh', ['-c', command], { timeout: restartMilliseconds, killSignal: 'SIGKILL' }).catch(
    (error: Error & { stderr?: string }) => {
      const said = error.stderr?.trim().split('\n').slice(-3).join(' ')
      throw new Error(said || error.message)
    },
  )
}
