/** `agent run`: runs the machines of this host until the program is stopped. */
import { daySeconds } from '@bourse/text/time/units.ts'
import type { Command } from 'commander'
import type { AgentOptions } from '../agent.ts'
import { openDeviceTree } from '../devices/device-tree.ts'
import { devicesOfHost } from '../devices/devices-of-host.ts'
import type { HostDevices } from '../devices/host-devices.ts'
import { verifySlot } from '../devices/verify-slot.ts'
import type { Driver } from '../drivers/driver.ts'
import { acceleratorTable, readHostHardware } from '../facts/facts.ts'
import { findServiceManager } from '../systemd.ts'
import { type AgentCommandContext, logOf } from './command-context.ts'
import { type AgentFlags, withFlags } from './command-flags.ts'
import { inspectHost, unfit } from './host-probe.ts'

/** Adds `agent run`. */
export function addRunCommand(group: Command, directory: string, context: AgentCommandContext): void {
  withFlags(group.command('run'), directory)
    .option('--verify-slots', 'After each machine with devices, check them by a machine that lists what it sees.')
    .description('Run the machines of this host. Exits with 78 if machines cannot run here.')
    .addHelpText('after', '\nExample:\n  $ bourse agent run --host-address 192.0.2.7')
    .action((flags: AgentFlags) => runHost(context, flags))
}

async function runHost(context: AgentCommandContext, flags: AgentFlags): Promise<void> {
  const { driver, fitness, network } = await inspectHost(flags)
  if (!fitness.is_fit) throw unfit(fitness)
  for (const { is_good, subject, message } of fitness.findings) if (!is_good) context.note(`${subject}: ${message}`)
  const { directory, tunnelPort, changeKeyDays, acceleratorsFile, benchmarkScript, verifySlots } = flags
  const table = await acceleratorTable(acceleratorsFile)
  const log = logOf(context)
  const devices = await devicesOfHost({ directory, driver, log })
  await runUntilAsked(context, {
    directory,
    driver,
    network: await network.open?.(log, context.variables),
    devices,
    verifySlot: devices && verifySlots ? slotVerifier({ driver, devices, directory }) : undefined,
    tunnel: { port: tunnelPort, change_every_seconds: changeKeyDays * daySeconds },
    readHardware: () => readHostHardware({ directory, table, driver, devices }),
    benchmark_script: benchmarkScript,
  })
}

type SlotParts = { readonly driver: Driver; readonly devices: HostDevices; readonly directory: string }

function slotVerifier(parts: SlotParts): AgentOptions['verifySlot'] {
  const tree = openDeviceTree('/')
  return ({ slot, machine: size }) => verifySlot({ ...parts, tree }, { slot, size })
}

async function runUntilAsked(
  context: AgentCommandContext,
  options: Omit<AgentOptions, 'log' | 'random'>,
): Promise<void> {
  const { note: say, random, stopSignal, variables } = context
  const { runAgent } = await import('../agent.ts')
  const manager = findServiceManager(variables, say)
  const stopped = new AbortController()
  void stopSignal().then((signal) => {
    manager.stopping()
    say(`${signal}: stopping. Machines keep running.`)
    stopped.abort()
  })
  say(`Running machines with the driver ${options.driver.name} in ${options.directory}.`)
  try {
    await runAgent({ ...options, ready: manager.ready, log: logOf(context), random }, stopped.signal)
  } finally {
    manager.stopping()
  }
}
