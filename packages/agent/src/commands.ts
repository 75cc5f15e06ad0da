/** The `agent` commands, for the `bourse` program and for the stand-alone agent. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type DesiredInstance, tunnelPortDefault } from '@bourse/api/fleet/agent.ts'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { AgentOptions } from './agent.ts'
import { checkOf, type HostCheck } from './checks.ts'
import { findDevices } from './devices/device-checks.ts'
import { openDeviceTree } from './devices/device-tree.ts'
import { devicesOfHost } from './devices/devices-of-host.ts'
import { verifySlot as verifySlotBy } from './devices/verify-slot.ts'
import type { Driver, Finding, Fitness } from './drivers/driver.ts'
import { driverNames } from './drivers/names.ts'
import { acceleratorTable, ownAddress, readHostHardware } from './facts/facts.ts'
import { devicesToCheck, hardwareFindings, neededFor, roomFindings, skuFindings } from './facts/fit-checks.ts'
import type { ChosenNetwork } from './network/choose.ts'
import { networkModes } from './network/modes.ts'
import { readPermit } from './permit.ts'
import { hostProblem, unfitHost } from './problems.ts'
import { shellWord } from './shell.rules.ts'
import { isFileName, readSkuFile, type SkuInput } from './sku-file.ts'

/** What the commands need from the program that contains them. */
export type AgentCommandContext = {
  /** How a shell calls this program. */
  readonly program: string
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Prints a line of output. */
  readonly data: (line: string) => void
  /** Prints a progress message. */
  readonly note: (line: string) => void
  /** Prints checks in the format that the options of the command select. */
  readonly printChecks: (checks: readonly HostCheck[], options: Readonly<Record<string, unknown>>) => void
  /** Resolves with the name of the signal that stops the program. */
  readonly stopSignal: () => Promise<string>
  readonly random: () => number
  /** Reads a SKU by its name from the server that the program is set up for. Absent: it has no API token. */
  readonly readSku?: (name: string, options: Readonly<Record<string, unknown>>) => Promise<SkuInput>
}

type AgentFlags = {
  directory: string
  driver: string
  allowTcg?: boolean
  hostAddress?: string
  network: string
  reachable?: string[]
  nameserver?: string[]
  partitionCommand?: string
  acceleratorsFile?: string
  benchmarkScript?: string
  insecureHostTraffic?: boolean
  tunnelPort: number
  changeKeyDays: number
  verifySlots?: boolean
}
type CheckFlags = AgentFlags & { sku?: string; slots: number }
type EnrolFlags = AgentFlags & {
  server: string
  tokenFile?: string
  name?: string
  publicIpv4?: string[]
  insecureHttp?: boolean
}

/** Adds `agent enrol`, `agent run` and `agent check` to a program. */
export function addAgentCommands(program: Command, context: AgentCommandContext): void {
  const { data, note, variables } = context
  const group = program.command('agent').description('The agent of a host: enrol the host and run its machines.')
  const directoryByDefault = join(homedir(), '.bourse-agent')
  const directory = variables.BOURSE_AGENT_DIR ?? directoryByDefault

  const enrol = withFlags(group.command('enrol'), directory)
  // The command line has it as a global flag, the stand-alone agent does not.
  if (!program.options.some(({ long }) => long === '--insecure-http')) {
    enrol.option('--insecure-http', 'Trust an http URL of another machine. Anyone in between controls this host.')
  }
  enrol
    .description('Enrol this host with a server, using the secret of a permit. Enrolling again starts the next epoch.')
    .requiredOption('--server <url>', 'URL of the server.')
    .option('--token-file <path>', 'File with the secret of the permit; - reads standard input.')
    .option('--name <name>', 'Name of the host.')
    .option('--public-ipv4 <address...>', 'Public addresses for machines.')
    .addHelpText('after', enrolHelp)
    .action(async (flags: EnrolFlags) => {
      const token = await readPermit(flags.tokenFile, variables)
      const { enrolHost } = await import('./enrol.ts')
      const { directory, server, name, hostAddress, publicIpv4, acceleratorsFile: accelerators_file } = flags
      const accepts_http = enrol.optsWithGlobals<EnrolFlags>().insecureHttp || variables.BOURSE_INSECURE_HTTP === '1'
      const driver = await driverOf(flags)
      const { network, encrypts, finding } = await networkOf(flags, driver)
      if (finding) note(`${finding.subject}: ${finding.message}`)
      const sets_partitions = network === 'full' && flags.partitionCommand !== undefined
      const addresses = { host_address: hostAddress, public_ipv4s: publicIpv4 ?? [] }
      const facts = { ...addresses, network, sets_partitions, encrypts_traffic: encrypts }
      const accepted = { accepts_http, accepts_unencrypted: flags.insecureHostTraffic ?? false }
      await driver.probe()
      const devices = await devicesOfHost({ directory, driver, log: logOf(context) })
      const { host, epoch } = await enrolHost({
        directory,
        driver,
        devices,
        accelerators_file,
        server,
        token,
        name,
        ...accepted,
        ...facts,
      })
      const next = runCommand(context.program, withFlags(new Command(), directoryByDefault), flags)
      note(`Enrolled${epoch > 1 ? ` again, epoch ${epoch}` : ''}. Run its machines with: ${next}`)
      data(host)
    })

  withFlags(group.command('run'), directory)
    .option('--verify-slots', 'After each machine with devices, check them by a machine that lists what it sees.')
    .description('Run the machines of this host. Exits with 78 if machines cannot run here.')
    .addHelpText('after', '\nExample:\n  $ bourse agent run --host-address 192.0.2.7')
    .action((flags: AgentFlags) => runHost(context, flags))

  group
    .command('change-key')
    .description('Make the next key of the tunnel to other hosts. The agent that runs changes to it, a minute later.')
    .option('--directory <path>', 'Directory of the key, the journal and the images of the agent.', directory)
    .addHelpText('after', '\nExample:\n  $ bourse agent change-key')
    .action(async ({ directory: at }: Pick<AgentFlags, 'directory'>) => {
      const { makeNextKey } = await import('./network/tunnel-keys.ts')
      data(await makeNextKey(at))
    })

  addCheck(group, directory, context)
}

/** Runs the machines of this host until the program is stopped. */
async function runHost(context: AgentCommandContext, flags: AgentFlags): Promise<void> {
  const { driver, fitness, network } = await inspect(flags)
  if (!fitness.is_fit) throw unfit(fitness)
  for (const { is_good, subject, message } of fitness.findings) if (!is_good) context.note(`${subject}: ${message}`)
  const { directory: at, tunnelPort: port, changeKeyDays, acceleratorsFile: accelerators_file } = flags
  const { benchmarkScript: benchmark_script } = flags
  const tunnel = { port, change_every_seconds: changeKeyDays * 86_400 }
  const table = await acceleratorTable(accelerators_file)
  const devices = await devicesOfHost({ directory: at, driver, log: logOf(context) })
  const readHardware = () => readHostHardware({ directory: at, table, driver, devices })
  const tree = openDeviceTree('/')
  const verifySlot =
    devices && flags.verifySlots
      ? ({ slot, machine: size }: Pick<DesiredInstance, 'slot' | 'machine'>) =>
          verifySlotBy({ driver, devices, tree, directory: at }, { slot, size })
      : undefined
  const own = { directory: at, driver, network: await network.open?.(), devices, verifySlot }
  await runUntilAsked(context, { ...own, tunnel, readHardware, benchmark_script })
}

/** Adds `agent check`. */
function addCheck(group: Command, directory: string, context: AgentCommandContext): void {
  const { printChecks, readSku } = context
  const command = withFlags(group.command('check'), directory)
  command
    .description('Check whether machines can run on this host, and how to install what is missing.')
    .option('--sku <name>', 'Also compare the hardware with a SKU: its name, its id, or a file with its JSON.')
    .addOption(
      new Option('--slots <count>', 'How many nodes of the SKU this host is to supply.')
        .argParser(wholeNumber(1, 64))
        .default(1),
    )
    .addHelpText('after', '\nExamples:\n  $ bourse agent check\n  $ bourse agent check --sku h100-west --slots 1')
    .action(async (flags: CheckFlags) => {
      const { sku: word, slots, directory: at, acceleratorsFile: accelerators_file } = flags
      const options = command.optsWithGlobals()
      const sku = word === undefined ? undefined : await skuOf(word, options, readSku)
      const { fitness, driver } = await inspect(flags)
      const table = await acceleratorTable(accelerators_file)
      const devices = await devicesOfHost({ directory: at, driver, log: logOf(context) })
      const hardware = await readHostHardware({ directory: at, table, driver, devices })
      const question = { is_root: process.getuid?.() === 0, of: devicesToCheck(sku) }
      const given = devices ? await findDevices(openDeviceTree('/'), hardware, question) : []
      const host = [...fitness.findings, ...hardwareFindings(hardware), ...given]
      const compared = sku
        ? [...skuFindings(hardware, sku, slots), ...(await roomFindings(hardware, { sku, slots, driver }))]
        : []
      const all = [...(sku ? neededFor(sku, host) : host), ...compared]
      const measured = flags.benchmarkScript === undefined ? [] : [await benchmarkFinding(flags.benchmarkScript)]
      printChecks([...all, ...measured].map(checkOf), options)
      if (!fitness.is_fit) throw unfitHost(sentenceOf(fitness, []))
      const misfit = all.some(({ is_good, is_optional }) => !is_good && !is_optional)
      if (misfit) throw unfitHost(`This host does not fit ${slots} × ${sku?.alias}.`)
      if (measured.some(({ is_good }) => !is_good)) throw hostProblem('The benchmark script does not work.')
    })
}

/** Runs the benchmark script once, to show its figures. They are not reported. */
async function benchmarkFinding(script: string): Promise<Finding> {
  const subject = 'benchmark'
  const { runScript } = await import('./benchmark/script.ts')
  const { figuresLine } = await import('./benchmark/figures.rules.ts')
  try {
    const message = figuresLine(await runScript(script, new AbortController().signal))
    return { subject, is_good: true, message }
  } catch (error) {
    return { subject, is_good: false, message: (error as Error).message }
  }
}

function skuOf(word: string, options: Readonly<Record<string, unknown>>, readSku: AgentCommandContext['readSku']) {
  if (isFileName(word)) return readSkuFile(word)
  if (readSku) return readSku(word, options)
  throw hostProblem('This program has no API token. Give a file: bourse skus get NAME -o json > sku.json')
}

/** The command that runs the machines of a host with the flags of its enrolment, where they are no defaults. */
function runCommand(program: string, { options }: Command, flags: AgentFlags): string {
  const given = flags as unknown as Readonly<Record<string, unknown>>
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

async function runUntilAsked(
  context: AgentCommandContext,
  options: Omit<AgentOptions, 'log' | 'random'>,
): Promise<void> {
  const { note: say, random, stopSignal } = context
  const { runAgent } = await import('./agent.ts')
  const stopped = new AbortController()
  void stopSignal().then((signal) => {
    say(`${signal}: stopping. Machines keep running.`)
    stopped.abort()
  })
  say(`Running machines with the driver ${options.driver.name} in ${options.directory}.`)
  await runAgent({ ...options, log: logOf(context), random }, stopped.signal)
}

function logOf({ note }: AgentCommandContext): AgentOptions['log'] {
  return (message, fields) => note(`${message} ${JSON.stringify(fields)}`)
}

function withFlags(command: Command, directory: string): Command {
  const [usual] = driverNames
  return command
    .option('--directory <path>', 'Directory of the key, the journal and the images of the agent.', directory)
    .addOption(new Option('--driver <name>', 'Driver that runs the machines.').choices(driverNames).default(usual))
    .option('--allow-tcg', 'Emulate machines if the processor cannot run them. Slow; for trials only.')
    .option('--host-address <ip>', 'Address of this host at which machines are reached. Default: its first address.')
    .addOption(
      new Option(
        '--network <what>',
        'Network of machines: as much as this host allows, SSH only, or full networks or none.',
      )
        .choices(networkModes)
        .default(networkModes[0]),
    )
    .option('--reachable <cidr...>', 'Private networks that machines can reach. Default: none.')
    .option('--nameserver <ip...>', 'Name servers for machines. Default: those of this host.')
    .option('--insecure-host-traffic', 'Accept that traffic to other hosts is not encrypted if WireGuard is missing.')
    .addOption(
      new Option('--tunnel-port <port>', 'UDP port of the WireGuard tunnel to other hosts.')
        .argParser(wholeNumber(1, 65_535))
        .default(tunnelPortDefault),
    )
    .addOption(
      new Option('--change-key-days <days>', 'How often the tunnel gets another key. 0: only by agent change-key.')
        .argParser(wholeNumber(0, 3_650))
        .default(7),
    )
    .option('--partition-command <path>', 'Command to call when machines join or leave an InfiniBand partition.')
    .option('--accelerators-file <path>', 'JSON list of accelerators that the agent does not know, by PCI id.')
    .option('--benchmark-script <path>', 'Program that measures this host, once a week while it has no machines.')
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`Give a whole number between ${min} and ${max}.`)
  }
}

/** Probes this host: its driver, what machines lack, and their networks. */
async function inspect(flags: AgentFlags): Promise<{ driver: Driver; fitness: Fitness; network: ChosenNetwork }> {
  const driver = await driverOf(flags)
  const { findings } = await driver.probe()
  const network = await networkOf(flags, driver)
  const all = [...findings, ...(network.finding ? [network.finding] : [])]
  const is_fit = all.every(({ is_good, is_optional }) => is_good || is_optional)
  return { driver, network, fitness: { is_fit, findings: all } }
}

async function networkOf(flags: AgentFlags, driver: Driver): Promise<ChosenNetwork> {
  const { chooseNetwork } = await import('./network/choose.ts')
  const { directory, network: mode, hostAddress, reachable = [], nameserver, partitionCommand } = flags
  const accepts_unencrypted = flags.insecureHostTraffic ?? false
  const host_address = hostAddress ?? ownAddress()
  const named = { reachable, nameservers: nameserver, partition_command: partitionCommand }
  return chooseNetwork({ mode, directory, host_address, accepts_unencrypted, ...named }, driver)
}

async function driverOf({ driver, directory, allowTcg, hostAddress }: AgentFlags): Promise<Driver> {
  const { chooseDriver } = await import('./drivers/choose.ts')
  return chooseDriver({ name: driver, directory, allow_tcg: allowTcg, host_address: hostAddress ?? ownAddress() })
}

/** The error for a host that cannot run machines, with all failed checks. */
function unfit(fitness: Fitness): Error {
  const missing = lacking(fitness).map(({ subject, message }) => `${subject}: ${message}.`)
  return unfitHost(sentenceOf(fitness, missing))
}

function sentenceOf(fitness: Fitness, missing: readonly string[]): string {
  const packages = new Set(lacking(fitness).flatMap((finding) => finding.package ?? []))
  const remedy = `Install what is missing: apt-get install -y --no-install-recommends ${[...packages].join(' ')}`
  return ['Machines cannot run on this host.', ...missing, ...(packages.size > 0 ? [remedy] : [])].join(' ')
}

function lacking({ findings }: Fitness): readonly Finding[] {
  return findings.filter(({ is_good, is_optional }) => !is_good && !is_optional)
}
