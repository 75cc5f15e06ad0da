import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { newDirectory, bourse as run } from '../../../cli/test/sandbox-process.ts'
import { statement } from '../../../server/src/core/db/db.ts'
import { platformAccount } from '../../../server/test/support/access.ts'
import { callsBy } from '../../../server/test/support/calls.ts'
import { makeSku } from '../../../server/test/support/fixtures/fleet.ts'
import { makeBuyer } from '../../../server/test/support/fixtures/market.ts'
import { startTestServer } from '../../../server/test/support/server.ts'
import { writeBootSector } from '../support/boot-sectors.ts'
import { booting } from '../support/driver-contract.ts'
import { endProcess, isRunning } from '../support/machine-processes.ts'
import { machineImage } from '../support/tiny-image.ts'

const image = await machineImage()
const program = join(import.meta.dirname, '../../../cli/bin/bourse.mjs')
const agents = new Set<ChildProcess>()
afterAll(() => {
  for (const child of agents) child.kill('SIGKILL')
})

if (image.missing !== undefined) test('the life of a machine, from order to end', leftOut(image.missing), () => {})
else
  test('a machine is bought, accessed by SSH, outlives its agent, reads its notice, and leaves nothing', () =>
    live(image.path))

/** More than a machine without a size has, and as many vCPUs as the smallest host of tests. */
const size = { num_vcpus: Math.min(2, cpus().length), memory_bytes: 160 * 2 ** 20 }

/** The life of a host with one slot, for its operator and a customer. */
async function live(tiny: string): Promise<void> {
  const world = await openWorld()
  const agent = runAgent(world.state)
  try {
    const short = await world.create('short', writeBootSector(newDirectory(), 'powers_off'))
    await world.is(short, 'terminated')
    const lent = await world.addKey('lent')
    const first = await world.create('first', tiny)
    await logIn(world, first)
    await shutOut(world, first, lent)
    const boot = await world.inside('cat /proc/sys/kernel/random/boot_id')
    await agent.kill('SIGKILL')
    const successor = runAgent(world.state)
    await noticeShown(world, boot)
    await world.is(first, 'terminated')
    const kept = () => readdirSync(join(world.state, 'machines'))
    const isEmpty = async () => {
      assert.deepEqual([await world.usedSlots(), kept()], [0, []], successor.said())
      return true
    }
    await eventually('the host is empty', isEmpty, booting)
    assert.deepEqual([first, short].filter(isRunning), [])
    assert.equal(await successor.kill('SIGTERM'), 0)
  } finally {
    for (const id of world.made) endProcess(id)
  }
}

/** A key of the customer, and the file of its private half. */
type AddedKey = { readonly id: string; readonly identity: string }

type VirtualMachineWorld = Awaited<ReturnType<typeof openWorld>>

/** Checks that its host keys are valid, it has the size of its SKU, and it cannot reach the host. */
async function logIn({ inside, server, log }: VirtualMachineWorld, id: string): Promise<void> {
  assert.equal((await inside('hostname')).trim(), 'first')
  assert.equal((await inside('cat /sys/block/vda/size')).trim(), `${2 ** 30 / 512}`)
  assert.equal((await inside('grep -c ^processor /proc/cpuinfo')).trim(), `${size.num_vcpus}`)
  const [, kibibytes] = /MemTotal:\s+(\d+) kB/.exec(await inside('cat /proc/meminfo')) ?? []
  // The kernel keeps up to 48 MiB for itself. Without a size the machine would have 512 MiB.
  const mebibytes = Number(kibibytes) / 1024
  const promised = size.memory_bytes / 2 ** 20
  assert.ok(mebibytes > promised - 48 && mebibytes <= promised, `${mebibytes} MiB`)
  const { port } = new URL(server.url)
  assert.match(await inside(`timeout 5 wget -q -O - http://169.254.2.2:${port}/healthz || echo refused`), /^refused$/m)
  assert.match(await inside(`timeout 5 wget -q -O - ${termination} 2>&1 || true`), /404/)
  const keys = (await server.call('get_instance_ssh', { params: { id } })).host_keys
  const isComplete = async () => {
    assert.match(await log(id), /boot complete/)
    return true
  }
  await eventually('the console shows that the machine has booted', isComplete, booting)
  for (const { key } of keys) assert.ok((await log(id)).includes(key), 'the console shows another host key')
}

/** Keys open the machine, which has no user data. The door is shut soon after a key is deleted, for this one alone. */
async function shutOut(world: VirtualMachineWorld, id: string, lent: AddedKey): Promise<void> {
  const { inside, isOpenTo, canChangeKeys, keysOf, deleteKey } = world
  assert.equal(await isOpenTo(lent), true)
  assert.deepEqual(await keysOf(id), ['kept present', 'lent present'])
  await eventually('the host reaches the guest agent', () => canChangeKeys(id), booting)
  const [named, ...others] = (await deleteKey(lent)).instances
  assert.deepEqual([named?.id, named?.removal, others], [id, 'requested', []])
  await eventually('the door is shut', async () => !(await isOpenTo(lent)), booting)
  assert.match(await inside('cat /root/.ssh/authorized_keys'), /^ssh-ed25519 \S+ kept sshk_\S+\n$/)
  await eventually('the instance no longer shows the key', async () => (await keysOf(id)).length === 1, booting)
}

const machineKeys = statement<{ has_channel: boolean | null }>(
  'test.machine_keys',
  `select (ssh_keys -> 'has_channel')::boolean as has_channel
   from machines
   where instance_id = $1`,
)

const termination = 'http://169.254.169.254/bourse/v1/termination'

/** The next agent adopts the machine. The guest reads its notice ten minutes before the end. */
async function noticeShown({ inside, server, end_at }: VirtualMachineWorld, boot: string): Promise<void> {
  // The agent forwards the SSH port, so the port is open again when the machine has been adopted.
  const isSame = async () => {
    assert.equal(await inside('cat /proc/sys/kernel/random/boot_id'), boot)
    return true
  }
  await eventually('the next agent has adopted the machine', isSame, booting)
  const { now } = await server.call('get_clock')
  await server.advance(end_at - 500 - now)
  const read = () => inside(`timeout 5 wget -q -O - ${termination} 2>&1 || true`)
  const notice = async () => {
    const output = await read()
    assert.match(output, /deadline_at/)
    return output
  }
  assert.equal(JSON.parse(await eventually('the guest reads its notice', notice, booting)).deadline_at, end_at)
  await server.advance(500)
}

async function openWorld() {
  const server = await startTestServer()
  const operator = await platformAccount(server)
  const sku = await makeSku(server, { ...size, local_storage_bytes: 2 ** 30 })
  const customer = await makeBuyer(server, '10.000000')
  const own = { token: customer.token }
  const state = newDirectory()
  const as = (token: string) => ({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token })
  const ran = async (token: string, ...words: string[]) => {
    const { code, out, err } = await run(words, as(token))
    assert.equal(code, 0, `bourse ${words.join(' ')}: ${err}`)
    return out
  }
  const permit = ['host-enrolments', 'create', '--sku', sku, '-o', 'csv', '--columns', 'token', '--no-header']
  const secret = (await ran(operator.token, ...permit)).trim()
  const permitFile = join(newDirectory(), 'permit')
  writeFileSync(permitFile, secret)
  const enrol = ['agent', 'enrol', '--directory', state, ...setup, '--server', server.url, '--token-file', permitFile]
  const host = (await ran(operator.token, ...enrol)).trim()
  const supply = (await server.call('get_host', { params: { id: host } })).pool.id
  await server.advance(60)
  const trade = ['--nodes', '1', '-o', 'json', '--yes']
  const offer = ['--pool', supply, '--price', '0.10', '--for', '4h', '--standing', '--partial']
  await ran(operator.token, 'orders', 'sell', sku, ...trade, ...offer)
  const bought = JSON.parse(await ran(customer.token, 'orders', 'buy', sku, ...trade, '--for', '1h'))
  assert.equal(bought.state, 'filled')
  const { end_at } = bought.allocation_schedule_delta[0]
  const keys = keysOfCustomer((...words) => ran(customer.token, ...words))
  const { identity } = await keys.add('kept')
  const made: string[] = []
  return {
    state,
    addKey: keys.add,
    made,
    end_at: end_at as number,
    server: { ...server, ...callsBy((method, path, options) => server.request(method, path, { ...own, ...options })) },
    create: async (name: string, file: string) => {
      await ran(customer.token, 'images', 'upload', file, '--name', name, '--force')
      const what = ['--name', name, '--pool', customer.pool, '--sku', sku, '--image', name]
      const id = (await ran(customer.token, 'instances', 'create', ...what, '-o', 'id')).trim()
      made.push(id)
      return id
    },
    is: async (id: string, state: string) => {
      const isSo = async () => {
        const instance = await server.call('get_instance', { params: { id }, ...own })
        assert.equal(instance.state, state, JSON.stringify(instance))
        return true
      }
      await eventually(`${id} is ${state}`, isSo, booting)
    },
    inside: (command: string) => ran(customer.token, 'ssh', 'first', '--wait', '-i', identity, '--', command),
    isOpenTo: async ({ identity: other }: AddedKey) =>
      (await run(['ssh', 'first', '--wait', '-i', other, '--', 'true'], as(customer.token))).code === 0,
    keysOf: async (id: string) => {
      const { ssh_keys = [] } = await server.call('get_instance', { params: { id }, ...own })
      return ssh_keys.map(({ name, state: of }) => `${name} ${of}`)
    },
    canChangeKeys: async (id: string) =>
      (await server.inside?.runtime.database.reader.row(machineKeys, [id]))?.has_channel === true,
    deleteKey: ({ id }: AddedKey) => server.call('delete_ssh_key', { params: { id }, ...own }),
    log: async (id: string) => {
      const { data } = await server.call('list_instance_logs', { params: { id }, ...own })
      return data.map((chunk) => Buffer.from(chunk.data, 'base64').toString()).join('')
    },
    usedSlots: async () => (await server.call('get_host', { params: { id: host } })).used_slots as number,
  }
}

/** Adds keys by the command line of a customer. */
function keysOfCustomer(ran: (...words: string[]) => Promise<string>) {
  return {
    add: async (name: string): Promise<AddedKey> => {
      const identity = join(newDirectory(), name)
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', identity])
      return { id: (await ran('ssh-keys', 'add', `${identity}.pub`, '-o', 'id')).trim(), identity }
    },
  }
}

/** A host without network rights, at an address that is not its first one. Machines may be emulated. */
const setup = ['--network', 'ssh_only', '--allow-tcg', '--host-address', '127.0.0.2']

/** Runs the agent of a host until it is killed. */
function runAgent(directory: string) {
  const words = ['agent', 'run', '--directory', directory, ...setup]
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  agents.add(child)
  let text = ''
  child.stderr.on('data', (piece) => {
    text += piece
  })
  return {
    said: () => text,
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      const [code] =
        child.exitCode === null && child.signalCode === null ? await once(child, 'close') : [child.exitCode]
      agents.delete(child)
      return code as number | null
    },
  }
}
