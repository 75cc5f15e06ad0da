/** Applies the plan of networks to this host. May be repeated at any time. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { pause } from '@bourse/text/time/pause.ts'
import {
  changeAddresses,
  changeLinks,
  changeUplinks,
  type MakePort,
  makeNamespace,
  type NetworkCommand,
  type PresentNetwork,
  type PresentState,
  removeNetworks,
  swapRuleset,
} from './commands.rules.ts'
import type { NetworkPlan, PlannedNetwork } from './plan.rules.ts'
import { hostRuleset, networkRuleset } from './ruleset.rules.ts'

const toolMilliseconds = 20_000
/** The directory in which `ip` keeps the names of namespaces. */
const namespaces = '/run/netns'

/** The networks that are due, and what creates their ports and the tunnel. */
type PlanChange = {
  readonly changed: readonly PlannedNetwork[]
  readonly makePort: MakePort
  /** Creates or removes the tunnel. Must not throw, so that it does not stop the networks. */
  readonly applyTunnel: () => Promise<void>
}

/**
 * Applies the plan to the host and to those networks that are due, because inspecting a network starts processes.
 * Throws if a tool fails. Completed changes stay, and the next run continues.
 */
export async function applyPlan(plan: NetworkPlan, { changed, makePort, applyTunnel }: PlanChange): Promise<void> {
  const before = await look()
  const run = async (commands: readonly NetworkCommand[]) => {
    for (const command of commands) await runCommand(command)
  }
  // The filter of the host comes first, so that it applies to new links from their first packet on.
  if (plan.networks.length > 0) await runCommand(swapRuleset(null, hostRuleset(plan)))
  await run(removeNetworks(plan, before))
  await applyTunnel()
  for (const network of changed) {
    const isThere = before.namespaces.includes(network.namespace)
    if (!isThere) await run(makeNamespace(network))
    await runCommand(swapRuleset(network.namespace, networkRuleset(plan.setup, network)))
    const { links } = isThere ? await lookInto(network) : { links: [] }
    await run(changeLinks(network, { uplinks: before.uplinks, links, makePort }))
    await run(changeAddresses(network, await lookInto(network)))
  }
  await run(changeUplinks(plan, await look()))
  if (plan.networks.length === 0) await runCommand(swapRuleset(null, hostRuleset(plan)))
}

/** Runs one command. Throws with the error output of the tool. */
export async function runCommand({ program, namespace, words, input }: NetworkCommand): Promise<string> {
  const inside = namespace === null ? [] : ['nsenter', `--net=${namespaces}/${namespace}`]
  const [first, ...rest] = [...inside, program, ...words] as [string, ...string[]]
  const child = spawn(first, rest, { stdio: 'pipe' })
  // The timeout option of `spawn` keeps its timer running if the program does not exist, which delays the exit.
  const over = new AbortController()
  void pause(toolMilliseconds, over.signal).then(() => over.signal.aborted || child.kill())
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  // A tool that ends before it has read all input reports the reason itself.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  const all = Promise.all([ended, text(child.stdout), text(child.stderr)])
  const [code, output, wrong] = await Promise.race([failed, all]).finally(() => over.abort())
  if (code !== 0)
    throw new Error(`${[program, ...words].join(' ')}: ${wrong.trim().split('\n')[0] || `ended with ${code}`}`)
  return output
}

async function look(): Promise<PresentState> {
  const [names, uplinks, uplink_routes] = await Promise.all([
    ask<{ name: string }>('ip', null, ['-j', 'netns', 'list']),
    ask<PresentState['uplinks'][number]>('ip', null, ['-j', 'addr', 'show']),
    ask<PresentState['uplink_routes'][number]>('ip', null, ['-j', 'route', 'show']),
  ])
  return { namespaces: names.map(({ name }) => name), uplinks, uplink_routes }
}

async function lookInto({ namespace }: PlannedNetwork): Promise<PresentNetwork> {
  const [links, routes, neighbours, forwards] = await Promise.all([
    ask<PresentNetwork['links'][number]>('ip', namespace, ['-j', '-d', 'addr', 'show']),
    ask<PresentNetwork['routes'][number]>('ip', namespace, ['-j', 'route', 'show']),
    ask<PresentNetwork['neighbours'][number]>('ip', namespace, ['-j', 'neigh', 'show']),
    ask<PresentNetwork['forwards'][number]>('bridge', namespace, ['-j', 'fdb', 'show']),
  ])
  return { links, routes, neighbours, forwards }
}

/** `ip` prints nothing if the list is empty. */
async function ask<T>(program: 'ip' | 'bridge', namespace: string | null, words: readonly string[]): Promise<T[]> {
  const output = await runCommand({ program, namespace, words, input: null })
  return output.trim() === '' ? [] : (JSON.parse(output) as T[])
}
