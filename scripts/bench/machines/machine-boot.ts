// Measures the time from the creation of an instance to the SSH banner of its machine: the tiny image, emulated, with
// the agent and the machine on one core. Also measures the part that is neither the download nor the boot of the guest.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasBanner } from '../../packages/agent/src/drivers/qemu/tools.ts'
import { pause } from '../../packages/server/src/core/base/clock.ts'
import { platformAccount } from '../../packages/server/test/support/access.ts'
import { grantNodes } from '../../packages/server/test/support/capacity.ts'
import { makeSku } from '../../packages/server/test/support/fleet.ts'
import { openTestServer, type TestAccount, type TestServer } from '../../packages/server/test/support/server.ts'
import { buildTinyImage } from '../image/build.ts'
import type { Row } from './row.ts'

const program = join(import.meta.dirname, '../../packages/cli/src/main.ts')
const setup = ['--network', 'ssh_only', '--allow-tcg', '--host-address', '127.0.0.1']
const goals = { machine_boot_s: 15, machine_agent_share_s: 1 } as const
const pollMilliseconds = 100
export const machineRowNames = Object.keys(goals) as (keyof typeof goals)[]

type Times = Readonly<Record<keyof typeof goals, number>>

/** The rows of one machine. */
export async function* machineRows(wanted: (name: string) => boolean): AsyncGenerator<Row> {
  if (!machineRowNames.some(wanted)) return
  const times = await bootOnce()
  for (const name of machineRowNames) {
    const [ours, goal] = [times[name], goals[name]]
    yield { name, ours, against: goal, ratio: ours / goal, goal, met: ours <= goal }
  }
}

async function bootOnce(): Promise<Times> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'bourse-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const image = join(directory, 'tiny.qcow2')
  await buildTinyImage(image)
  const server = stack.use(await openTestServer())
  const account = await server.account()
  const variables = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: account.token }
  const state = join(directory, 'agent')
  const { sku, pool } = await makeHost(server, account, state)
  const uploaded = (await run(['images', 'upload', image, '-o', 'id'], variables)).trim()
  const agent = start(['agent', 'run', '--directory', state, ...setup], {}, ['taskset', '-c', '0'])
  stack.defer(() => stop(agent))
  await once(agent.stderr as NonNullable<typeof agent.stderr>, 'data')
  const began = Date.now()
  const body = { pool, sku, image: uploaded }
  const { id } = await server.ok('POST', '/v2/instances', { token: account.token, body })
  const folder = join(state, 'machines', id)
  stack.defer(() => endMachine(server, account, id))
  while (!(await isUp(folder))) await pause(pollMilliseconds)
  const machine_boot_s = (Date.now() - began) / 1000
  const spawned = (await stat(join(folder, 'qemu.pid'))).mtimeMs
  const [digest = ''] = await readdir(join(state, 'images'))
  const fetched = await stat(join(state, 'images', digest))
  const machine_agent_share_s = (spawned - began - (fetched.mtimeMs - fetched.birthtimeMs)) / 1000
  return { machine_boot_s, machine_agent_share_s }
}

/** Creates a host with one slot. The account owns its node. */
async function makeHost(server: TestServer, account: TestAccount, state: string) {
  const operator = await platformAccount(server)
  const sku = await makeSku(server, { num_vcpus: 1, memory_bytes: 2 ** 27, local_storage_bytes: 2 ** 30 })
  const permit = await server.ok('POST', '/preview/v2/host_enrolments', { token: operator.token, body: { sku } })
  const where = ['--directory', state, ...setup, '--server', server.url]
  const host = (await run(['agent', 'enrol', ...where], { BOURSE_ENROL_TOKEN: permit.token })).trim()
  const supply = (await server.ok('GET', `/preview/v2/hosts/${host}`)).pool.id
  const pool = await grantNodes(server, account, { sku, supply, nodes: 1 })
  await server.advance(60)
  return { sku, pool }
}

async function isUp(folder: string): Promise<boolean> {
  const port = Number(await readFile(join(folder, 'ssh.port'), 'utf8').catch(() => Number.NaN))
  return Number.isNaN(port) ? false : hasBanner('127.0.0.1', port)
}

async function endMachine(server: TestServer, { token }: TestAccount, id: string): Promise<void> {
  await server.ok('POST', `/v2/instances/${id}/terminate`, { token })
  while ((await server.ok('GET', `/v2/instances/${id}`, { token })).state !== 'terminated') await pause(100)
}

function start(words: readonly string[], variables: Record<string, string>, before: readonly string[] = []) {
  const all = [...before, process.execPath, program, ...words]
  const env = { ...process.env, ...variables }
  return spawn(all[0] as string, all.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function run(words: readonly string[], variables: Record<string, string>): Promise<string> {
  const child = start(words, variables)
  const texts = { out: '', err: '' }
  child.stdout.on('data', (piece) => {
    texts.out += piece
  })
  child.stderr.on('data', (piece) => {
    texts.err += piece
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`bourse ${words.join(' ')} exited with ${code}: ${texts.err}`)
  return texts.out
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
