// Measures the time from the creation of an instance to the SSH banner of its machine: the tiny image, emulated, with
// the agent and the machine on one core. Also measures the part that is neither the download nor the boot of the guest,
// and the processor time beside that of the same machine booted by QEMU alone, in turns.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedVolume } from '../../../packages/agent/src/drivers/qemu/seed.ts'
import { hasBanner } from '../../../packages/agent/src/drivers/qemu/tools.ts'
import { missingTools } from '../../../packages/agent/test/support/tiny-image.ts'
import { wallMilliseconds } from '../../../packages/server/src/core/base/clock.ts'
import { platformAccount } from '../../../packages/server/test/support/access.ts'
import { grantNodes } from '../../../packages/server/test/support/fixtures/capacity.ts'
import { makeSku } from '../../../packages/server/test/support/fixtures/fleet.ts'
import { openTestServer, type TestAccount, type TestServer } from '../../../packages/server/test/support/server.ts'
import { pause } from '../../../packages/text/src/time/pause.ts'
import { buildTinyImage } from '../../image/build.ts'
import { bench } from '../bench.ts'
import { freePort } from '../prism.ts'
import { familyMilliseconds, processorMilliseconds } from '../processor-time.ts'
import { atMost, median, rowOf } from '../row.ts'

const program = join(import.meta.dirname, '../../../packages/cli/src/main.ts')
const setup = ['--network', 'ssh_only', '--allow-tcg', '--host-address', '127.0.0.1']
const oneCore = ['taskset', '-c', '0']
const ratioGoal = 1.25
const pollMilliseconds = 50

/** What one boot took, in seconds: until the banner, the agent's share of that, and processor time. */
type Boot = { readonly whole: number; readonly share: number; readonly processor: number; readonly bare: number }

/** The rows of one machine. */
export const bootBench = bench({
  rows: ['machine_boot_s', 'machine_agent_share_s', 'machine_boot_ratio'],
  missing: missingTools,
  sizes: { usual: { boots: 3 }, tiny: { boots: 1 } },
  measure: async function* ({ boots }) {
    const measured = await measure(boots)
    const of = (figure: keyof Boot) => measured.map((boot) => boot[figure])
    yield atMost('machine_boot_s', of('whole'), 15)
    yield atMost('machine_agent_share_s', of('share'), 1)
    const rounds = measured.map((one) => one.processor / one.bare)
    yield rowOf({
      name: 'machine_boot_ratio',
      ours: median(of('processor')),
      against: median(of('bare')),
      better: 'less',
      goal: ratioGoal,
      rounds,
    })
  },
})

async function measure(boots: number): Promise<Boot[]> {
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
  const agent = start(['agent', 'run', '--directory', state, ...setup], {}, oneCore)
  stack.defer(() => stop(agent))
  await once(agent.stderr as NonNullable<typeof agent.stderr>, 'data')
  const found: Boot[] = []
  for (let round = 0; round < boots; round++) {
    const bare = await bootBare(directory, image)
    const host = { pid: agent.pid as number, state }
    const timed = await bootByAgent(server, account, { ...host, body: { pool, sku, image: uploaded } })
    found.push({ ...timed, bare })
  }
  return found
}

/** From the request for an instance to the banner. The image is downloaded for the first one only. */
async function bootByAgent(
  server: TestServer,
  account: TestAccount,
  { pid, state, body }: { pid: number; state: string; body: { pool: string; sku: string; image: string } },
): Promise<Omit<Boot, 'bare'>> {
  const known = await readdir(join(state, 'images')).catch(() => [])
  const [began, used] = [wallMilliseconds(), familyMilliseconds(pid) ?? 0]
  const { id } = await server.call('create_instance', { token: account.token, body })
  const folder = join(state, 'machines', id)
  try {
    while (!(await isUp(folder))) await pause(pollMilliseconds)
    const whole = (wallMilliseconds() - began) / 1000
    const processor = ((familyMilliseconds(pid) ?? 0) - used) / 1000
    const spawned = (await stat(join(folder, 'qemu.pid'))).mtimeMs
    const [digest = ''] = await readdir(join(state, 'images'))
    const fetched = await stat(join(state, 'images', digest))
    const download = known.length > 0 ? 0 : fetched.mtimeMs - fetched.birthtimeMs
    return { whole, processor, share: (spawned - began - download) / 1000 }
  } finally {
    await endMachine(server, account, { id, folder })
  }
}

/** The processor time of the same machine without an agent, with the devices that the guest looks for. */
async function bootBare(directory: string, image: string): Promise<number> {
  const [disk, seed] = [join(directory, 'bare.qcow2'), join(directory, 'bare.iso')]
  await rm(disk, { force: true })
  await writeFile(
    seed,
    seedVolume({ 'meta-data': 'instance-id: bare\nlocal-hostname: bare\n', 'user-data': '#cloud-config\n' }),
  )
  const port = await freePort()
  await finished(spawn('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', 'qcow2', '-b', image, disk, '1G']))
  const words = [
    ...oneCore,
    'qemu-system-x86_64',
    '-accel',
    'tcg',
    '-cpu',
    'qemu64',
    '-machine',
    'q35',
    '-m',
    '128',
    '-smp',
    '1',
    '-display',
    'none',
    '-nodefaults',
    '-serial',
    'null',
    '-device',
    'virtio-rng-pci',
    '-drive',
    `file=${disk},if=none,id=disk`,
    '-device',
    'virtio-blk-pci,drive=disk,bootindex=1',
    '-drive',
    `file=${seed},format=raw,if=none,id=seed,readonly=on`,
    '-device',
    'virtio-blk-pci,drive=seed',
    '-netdev',
    `user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:${port}-:22`,
    '-device',
    'virtio-net-pci,netdev=net,romfile=',
  ]
  const child = spawn(words[0] as string, words.slice(1), { stdio: 'ignore' })
  try {
    while (!(await hasBanner('127.0.0.1', port))) await pause(pollMilliseconds)
    return (familyMilliseconds(child.pid as number) ?? 0) / 1000
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

async function finished(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`A program exited with ${code}.`)
}

/** Creates a host with one slot. The account owns its node. */
async function makeHost(server: TestServer, account: TestAccount, state: string) {
  const operator = await platformAccount(server)
  const sku = await makeSku(server, { num_vcpus: 1, memory_bytes: 2 ** 27, local_storage_bytes: 2 ** 30 })
  const permit = await server.call('create_host_enrolment', { token: operator.token, body: { sku } })
  const where = ['--directory', state, ...setup, '--server', server.url]
  const host = (await run(['agent', 'enrol', ...where], { BOURSE_ENROL_TOKEN: permit.token })).trim()
  const supply = (await server.call('get_host', { params: { id: host } })).pool.id
  const pool = await grantNodes(server, account, { sku, supply, nodes: 1 })
  await server.advance(60)
  return { sku, pool }
}

async function isUp(folder: string): Promise<boolean> {
  const port = Number(await readFile(join(folder, 'ssh.port'), 'utf8').catch(() => Number.NaN))
  return Number.isNaN(port) ? false : hasBanner('127.0.0.1', port)
}

/** Ends an instance, and waits for the end of its machine too: no agent would be left to end it. */
async function endMachine(
  server: TestServer,
  { token }: TestAccount,
  { id, folder }: { id: string; folder: string },
): Promise<void> {
  // The file has the id of the process, its start and that of the machine.
  const noted = await readFile(join(folder, 'qemu.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(noted, 10)
  await server.call('terminate_instance', { params: { id }, token })
  while ((await server.call('get_instance', { params: { id }, token })).state !== 'terminated') await pause(100)
  while (processorMilliseconds(pid) !== undefined) await pause(100)
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
