/** The commands of the agent, for `bourse` as a whole and for the agent alone on its host. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import type { AgentOptions } from './agent.ts'
import type { Driver, Fitness } from './drivers/driver.ts'
import { driverNames } from './drivers/names.ts'
import { ownAddress } from './facts.ts'
import { unfitHost } from './problems.ts'

/** What the commands need of the program that they are part of. */
export type AgentSurroundings = {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Prints what was asked for. */
  readonly data: (line: string) => void
  /** Says something on the way. */
  readonly note: (line: string) => void
  /** The name of the signal that asks the program to stop. */
  readonly stopSignal: () => Promise<string>
  readonly random: () => number
}

type AgentFlags = { directory: string; driver: string; allowTcg?: boolean; hostAddress?: string }
type EnrolFlags = AgentFlags & { server: string; token: string; name?: string; publicIpv4?: string[] }

/** Adds `agent enrol`, `agent run` and `agent check` to a program. */
export function addAgentCommands(program: Command, surroundings: AgentSurroundings): void {
  const { data, note, variables } = surroundings
  const group = program.command('agent').description('The agent of a host: enrol the host, run its machines.')
  const directory = variables.BOURSE_AGENT_DIR ?? join(homedir(), '.bourse-agent')

  withFlags(group.command('enrol'), directory)
    .description('Enrol this host with a server, by the secret of a permit. The same host again: its next epoch.')
    .requiredOption('--server <url>', 'The server.')
    .requiredOption('--token <token>', 'The secret of the permit: bhe_…')
    .option('--name <name>', 'What to call the host.')
    .option('--public-ipv4 <address...>', 'Public addresses that machines may be given.')
    .addHelpText('after', '\nExample:\n  $ bourse agent enrol --server https://bourse.example --token bhe_…')
    .action(async (flags: EnrolFlags) => {
      const { enrolHost } = await import('./enrol.ts')
      const { server, token, name, hostAddress, publicIpv4 } = flags
      const facts = { host_address: hostAddress, public_ipv4s: publicIpv4 ?? [] }
      const wish = { directory: flags.directory, server, token, name, ...facts }
      const { host, epoch } = await enrolHost(wish, await driverOf(flags))
      note(`Enrolled${epoch > 1 ? ` again, epoch ${epoch}` : ''}. Run its machines with: bourse agent run`)
      data(host)
    })

  withFlags(group.command('run'), directory)
    .description('Run the machines that the server wants on this host. Ends with 78 where none can run.')
    .addHelpText('after', '\nExample:\n  $ bourse agent run --host-address 192.0.2.7')
    .action(async (flags: AgentFlags) => {
      const driver = await driverOf(flags)
      const fitness = await driver.probe()
      if (!fitness.is_fit) throw unfit(fitness)
      await runUntilAsked(surroundings, flags.directory, driver)
    })

  withFlags(group.command('check'), directory)
    .description('Look whether machines can run on this host; says what is missing and how to get it.')
    .addHelpText('after', '\nExample:\n  $ bourse agent check')
    .action(async (flags: AgentFlags) => {
      const fitness = await (await driverOf(flags)).probe()
      for (const { what, is_good, says } of fitness.findings)
        data(`${is_good ? 'ok     ' : 'missing'} ${what}: ${says}`)
      if (!fitness.is_fit) throw unfit(fitness)
    })
}

async function runUntilAsked(
  { note: say, random, stopSignal }: AgentSurroundings,
  directory: string,
  driver: Driver,
): Promise<void> {
  const { runAgent } = await import('./agent.ts')
  const stopped = new AbortController()
  void stopSignal().then((signal) => {
    say(`${signal}: stopping. Machines go on running.`)
    stopped.abort()
  })
  const note: AgentOptions['note'] = (message, fields) => say(`${message} ${JSON.stringify(fields)}`)
  say(`Running machines by ${driver.name} from ${directory}.`)
  await runAgent({ directory, driver, note, random }, stopped.signal)
}

function withFlags(command: Command, directory: string): Command {
  const [usual] = driverNames
  return command
    .option('--directory <path>', 'Where the agent keeps its key, its journal and its images.', directory)
    .addOption(new Option('--driver <name>', 'What runs the machines.').choices(driverNames).default(usual))
    .option('--allow-tcg', 'Emulate machines where the processor cannot run them: for trials, slow.')
    .option('--host-address <ip>', 'The address of this host that machines are reached at. Default: its first one.')
}

async function driverOf({ driver, directory, allowTcg, hostAddress }: AgentFlags): Promise<Driver> {
  const { chooseDriver } = await import('./drivers/choose.ts')
  return chooseDriver({ name: driver, directory, allow_tcg: allowTcg, host_address: hostAddress ?? ownAddress() })
}

function unfit({ findings }: Fitness): Error {
  const missing = findings.filter(({ is_good }) => !is_good).map(({ what, says }) => `${what}: ${says}`)
  return unfitHost(`Machines cannot run on this host. ${missing.join(' ')}`)
}
