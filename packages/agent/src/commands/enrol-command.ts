/** `agent enrol`: enrols this host with a server. */

import { shellWord } from '@bourse/text/shell.ts'
import { Command } from 'commander'
import { devicesOfHost } from '../devices/devices-of-host.ts'
import { readPermit } from '../permit.ts'
import { hostProblem } from '../problems.ts'
import { type AgentCommandContext, logOf } from './command-context.ts'
import { type AgentFlags, withFlags } from './command-flags.ts'
import { driverOf, networkOf } from './host-probe.ts'

type EnrolFlags = AgentFlags & {
  server: string
  tokenFile?: string
  name?: string
  publicIpv4?: string[]
  insecureHttp?: boolean
}

/** Where the agent keeps its files. */
type AgentDirectories = {
  /** Where no variable says otherwise. */
  readonly usual: string
  /** Where no flag says otherwise. */
  readonly set: string
}

/** Adds `agent enrol`. */
export function addEnrolCommand(group: Command, directories: AgentDirectories, context: AgentCommandContext): void {
  const command = withFlags(group.command('enrol'), directories.set)
  // The command line has it as a global flag, the stand-alone agent does not.
  if (!group.parent?.options.some(({ long }) => long === '--insecure-http')) {
    command.option('--insecure-http', 'Trust an http URL of another machine. Anyone in between controls this host.')
  }
  command
    .description('Enrol this host with a server, using the secret of a permit. Enrolling again starts the next epoch.')
    .requiredOption('--server <url>', 'URL of the server.')
    .option('--token-file <path>', 'File with the secret of the permit; - reads standard input.')
    .option('--name <name>', 'Name of the host.')
    .option('--public-ipv4 <address...>', 'Public addresses for machines.')
    .addHelpText('after', enrolHelp)
    .action(async (flags: EnrolFlags) => {
      const isSet = context.variables.BOURSE_INSECURE_HTTP === '1'
      const accepts_http = command.optsWithGlobals<EnrolFlags>().insecureHttp || isSet
      const { host, epoch } = await enrol(context, { ...flags, insecureHttp: accepts_http })
      const next = runCommand(context.program, withFlags(new Command(), directories.usual), flags)
      context.note(`Enrolled${epoch > 1 ? ` again, epoch ${epoch}` : ''}. Run its machines with: ${next}`)
      context.data(host)
    })
}

async function enrol(context: AgentCommandContext, flags: EnrolFlags): Promise<{ host: string; epoch: number }> {
  const { directory, server, name, hostAddress, publicIpv4, acceleratorsFile, partitionCommand } = flags
  const token = await readPermit(flags.tokenFile, context.variables)
  const { enrolHost } = await import('../enrol.ts')
  const driver = await driverOf(flags)
  const { network, encrypts, finding } = await networkOf(flags, driver)
  if (flags.network === 'full' && network !== 'full') {
    throw hostProblem(`The host was not enrolled: it has no full networks. ${finding?.message ?? ''}`)
  }
  if (finding) context.note(`${finding.subject}: ${finding.message}`)
  await driver.probe()
  return enrolHost({
    directory,
    driver,
    devices: await devicesOfHost({ directory, driver, log: logOf(context) }),
    accelerators_file: acceleratorsFile,
    server,
    token,
    name,
    accepts_http: flags.insecureHttp ?? false,
    accepts_unencrypted: flags.insecureHostTraffic ?? false,
    host_address: hostAddress,
    public_ipv4s: publicIpv4 ?? [],
    network,
    sets_partitions: network === 'full' && partitionCommand !== undefined,
    encrypts_traffic: encrypts,
  })
}

/** The command that runs the machines of a host with the flags of its enrolment, where they are no defaults. */
function runCommand(program: string, { options }: Command, flags: AgentFlags): string {
  const given = flags as Readonly<Record<string, unknown>>
  const words = options.flatMap((option) => {
    const value = given[option.attributeName()]
    if (value === undefined || value === option.defaultValue || value === false) return []
    if (value === true) return [option.long as string]
    return [option.long as string, ...[value].flat().map((one) => shellWord(String(one)))]
  })
  return [program, 'agent', 'run', ...words].join(' ')
}

const enrolHelp = `
The secret of the permit (bhe_…) comes from a file, from standard input or from BOURSE_ENROL_TOKEN, never from an
argument, because every user of the host can read those.

Examples:
  $ bourse agent enrol --server https://bourse.example --token-file permit
  $ printf %s bhe_… | bourse agent enrol --server https://bourse.example --token-file -`
