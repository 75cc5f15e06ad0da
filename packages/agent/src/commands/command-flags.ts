/** The flags that `agent enrol`, `agent run` and `agent check` share. */
import { tunnelPortDefault } from '@bourse/api/fleet/agent.ts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { driverNames } from '../drivers/names.ts'
import { networkModes } from '../network/modes.ts'

/** Their values. */
export type AgentFlags = {
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

/** Adds the flags to a command. */
export function withFlags(command: Command, directory: string): Command {
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

/** Reads a whole number between two others from the command line. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`Give a whole number between ${min} and ${max}.`)
  }
}
