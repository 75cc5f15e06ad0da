/**
 * The WireGuard device of this host: that of the kernel, or else a process of `wireguard-go`. Either outlives the
 * agent, like the machines whose traffic it carries.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@bourse/text/time/pause.ts'
import { readIfThere, removeAll, writeWhole } from '../files.ts'
import { programPath } from '../program-path.ts'
import { runCommand } from './apply.ts'
import type { NetworkCommand } from './commands.rules.ts'
import { followedKeys, type PlannedTunnel, tunnelConfig, tunnelLines } from './tunnel.rules.ts'
import { openTunnelKeys } from './tunnel-keys.ts'

/** Who encrypts: the kernel, or the program wireguard-go. */
export type TunnelKind = 'kernel' | 'user_space'

/** The device of this host, and where its process is recorded. */
export type TunnelSetup = { readonly directory: string; readonly device: string; readonly kind: TunnelKind }

const processFile = 'tunnel.pid'
const program = 'wireguard-go'
const startMilliseconds = 10_000
const endMilliseconds = 2_000
const pollMilliseconds = 20

/** How this host can encrypt; undefined if it cannot. `namespace` is one that may be changed. */
export async function findTunnelKind(namespace: string): Promise<TunnelKind | undefined> {
  const works = (one: NetworkCommand) =>
    runCommand(one).then(
      () => true,
      () => false,
    )
  if (!(await works(command('wg', ['--version'])))) return undefined
  const add = ['link', 'add', 'wg0', 'type', 'wireguard']
  if (await works({ ...command('ip', add), namespace })) return 'kernel'
  return (await works(command(program, ['--version']))) ? 'user_space' : undefined
}

/** Whether the device is up. Costs no process. */
export function isTunnelUp(device: string): boolean {
  return networkInterfaces()[device] !== undefined
}

/** Makes the tunnel as planned, with the current key of the host. May be repeated at any time. Throws if it fails. */
export async function applyTunnel(setup: TunnelSetup, plan: PlannedTunnel): Promise<void> {
  const { device, directory } = setup
  const { current } = await openTunnelKeys(directory)
  const key = await keyOfDevice(device)
  if (key === undefined) await makeDevice(setup)
  const followed = followedKeys(plan, await show(device, 'latest-handshakes'))
  // With another key the connections of the device are void, so it begins anew and calls its peers at once.
  const isSame = key === current.public_key
  const config = tunnelConfig(plan, { private_key: current.private_key, followed })
  await configure(isSame ? 'syncconf' : 'setconf', device, config)
  const [addresses, routes] = await Promise.all([addressesOf(device), routesOf(device)])
  const lines = tunnelLines(plan, { addresses, routes })
  await runCommand({ ...command('ip', ['-batch', '-']), input: `${lines.join('\n')}\n` })
}

/** The next keys with which peers have called. */
export async function readFollowedKeys(plan: PlannedTunnel): Promise<Set<string>> {
  return followedKeys(plan, await show(plan.device, 'latest-handshakes'))
}

/** Removes the device and its process, if they exist. */
export async function removeTunnel({ device, directory }: Omit<TunnelSetup, 'kind'>): Promise<void> {
  const exists = await runCommand(command('ip', ['link', 'show', device])).then(
    () => true,
    () => false,
  )
  if (exists) await runCommand(command('ip', ['link', 'del', device]))
  const pid = await processOf(directory, device)
  const isGone = async () => (await processOf(directory, device)) === undefined
  // It ends with its device, unless it hangs.
  if (pid !== undefined && !(await waitFor(isGone, { every: pollMilliseconds, at_most: endMilliseconds }))) {
    process.kill(pid, 'SIGKILL')
    await waitFor(isGone, { every: pollMilliseconds, at_most: endMilliseconds })
  }
  await removeAll(join(directory, processFile))
}

async function makeDevice(setup: TunnelSetup): Promise<void> {
  const { device, directory, kind } = setup
  // A device that gives no answer is that of a process that hangs.
  await removeTunnel(setup)
  if (kind === 'kernel') {
    await runCommand(command('ip', ['link', 'add', device, 'type', 'wireguard']))
    return
  }
  const env = { PATH: programPath, LOG_LEVEL: 'silent' }
  const child = spawn(program, ['-f', device], { detached: true, stdio: 'ignore', env })
  await once(child, 'spawn')
  child.unref()
  await writeWhole(join(directory, processFile), `${child.pid}\n`)
  const answers = async () => (child.exitCode === null ? (await keyOfDevice(device)) !== undefined : 'ended')
  const isUp = await waitFor(answers, { every: pollMilliseconds, at_most: startMilliseconds })
  if (isUp !== true)
    throw new Error(`${program} ${child.exitCode === null ? 'does not answer' : `ended with ${child.exitCode}`}`)
}

/** The public key of the device, `(none)` before it has one; undefined if it does not answer. */
async function keyOfDevice(device: string): Promise<string | undefined> {
  return show(device, 'public-key').then(
    (output) => output.trim(),
    () => undefined,
  )
}

function show(device: string, what: string): Promise<string> {
  return runCommand(command('wg', ['show', device, what]))
}

/** `wg` opens its standard input by name, which works with a pipe and not with the socket that Node gives. */
async function configure(how: 'setconf' | 'syncconf', device: string, config: string): Promise<void> {
  const words = ['-c', 'cat | wg "$1" "$2" /dev/stdin', 'sh', how, device]
  await runCommand({ ...command('sh', words), input: config })
}

async function addressesOf(device: string): Promise<string[]> {
  const output = await runCommand(command('ip', ['-j', '-4', 'addr', 'show', 'dev', device]))
  const links = JSON.parse(output || '[]') as { addr_info?: { local: string; prefixlen: number }[] }[]
  return links.flatMap(({ addr_info = [] }) => addr_info.map(({ local, prefixlen }) => `${local}/${prefixlen}`))
}

async function routesOf(device: string): Promise<string[]> {
  const output = await runCommand(command('ip', ['-j', '-4', 'route', 'show', 'dev', device]))
  return (JSON.parse(output.trim() || '[]') as { dst: string }[]).map(({ dst }) => dst)
}

/** The process of the device. The id alone may have been reused. */
async function processOf(directory: string, device: string): Promise<number | undefined> {
  const noted = Number((await readIfThere(join(directory, processFile)))?.trim() || Number.NaN)
  if (!Number.isInteger(noted)) return undefined
  const words = (await readFile(`/proc/${noted}/cmdline`, 'utf8').catch(() => '')).split('\0')
  return words[0]?.endsWith(program) && words.includes(device) ? noted : undefined
}

function command(program: NetworkCommand['program'], words: readonly string[]): NetworkCommand {
  return { program, namespace: null, words, input: null }
}
