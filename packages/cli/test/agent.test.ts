import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { eventually } from '../../../test/eventually.ts'
import { openKey, readEnrolment, tokenMaker } from '../../agent/src/identity.ts'
import { openImages } from '../../agent/src/images.ts'
import { serverCalls } from '../../agent/src/server-calls.ts'
import { platformAccount } from '../../server/test/support/access.ts'
import { grantNodes } from '../../server/test/support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../../server/test/support/fixtures/fleet.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { runnerFor } from './run-here.ts'
import { bourse, newDirectory } from './sandbox-process.ts'

const server = await startTestServer()
const operator = await platformAccount(server)
const account = await server.account()
const { token } = account
const program = join(import.meta.dirname, '../bin/bourse.mjs')
const agents = new Set<ChildProcess>()
afterAll(() => {
  for (const child of agents) child.kill('SIGKILL')
})

async function makePermit(sku: string, slots: number): Promise<string> {
  const body = { sku, slots, uses: 2 }
  return (await server.call('create_host_enrolment', { token: operator.token, body })).token
}

function enrol(directory: string, permit: string, ...more: string[]) {
  const words = ['agent', 'enrol', '--driver', 'simulated', '--directory', directory]
  return runnerFor({ BOURSE_ENROL_TOKEN: permit })(...words, '--server', server.url, ...more)
}

/** Runs the agent of a directory until it is killed. */
function runAgent(directory: string) {
  const words = ['agent', 'run', '--driver', 'simulated', '--directory', directory]
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  agents.add(child)
  const texts = { err: '' }
  child.stderr?.on('data', (piece) => {
    texts.err += piece
  })
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const [code] = child.exitCode === null && child.signalCode === null ? await once(child, 'close') : [child.exitCode]
    agents.delete(child)
    return code as number | null
  }
  return { child, texts, kill }
}

/** Waits until an instance is in a state. */
async function instanceIs(id: string, state: string): Promise<void> {
  const isSo = async () => {
    const instance = await server.call('get_instance', { params: { id }, token })
    assert.equal(instance.state, state, JSON.stringify(instance))
    return true
  }
  await eventually(`${id} is ${state}`, isSo)
}

/** Enrols a host and gives the account a pool with all of its nodes. */
async function enrolWithNodes(directory: string, nodes: number) {
  const sku = await makeSku(server)
  const host = (await enrol(directory, await makePermit(sku, nodes))).out.trim()
  const supply = (await server.call('get_host', { params: { id: host } })).pool.id
  const pool = await grantNodes(server, account, { sku, supply, nodes })
  await server.advance(60)
  return { host, pool, sku }
}

/** Waits until instances use as many slots of a host. */
async function usedSlotsAre(host: string, count: number, { texts }: ReturnType<typeof runAgent>): Promise<void> {
  const isSo = async () => {
    assert.equal((await server.call('get_host', { params: { id: host } })).used_slots, count, texts.err)
    return true
  }
  await eventually(`instances use ${count} slots of the host`, isSo)
}

/** What the console of an instance has shown. */
async function logOf(id: string): Promise<string> {
  const { data } = await server.call('list_instance_logs', { params: { id }, token })
  return data.map((chunk) => Buffer.from(chunk.data, 'base64').toString()).join('')
}

/** Waits until the console of an instance has shown a text. */
async function logHas(id: string, text: string): Promise<void> {
  const isSo = async () => {
    const log = await logOf(id)
    assert.ok(log.includes(text), log)
    return true
  }
  await eventually(`the console of ${id} shows ${JSON.stringify(text)}`, isSo)
}

test('a host enrols with a new key that it stores, and enrols again as the same host', async () => {
  const directory = newDirectory()
  const permit = await makePermit(await makeSku(server), 1)
  const first = await enrol(directory, permit, '--name', 'rack-7')
  assert.equal(first.code, 0, first.err)
  const host = first.out.trim()
  assert.equal((await server.call('get_host', { params: { id: host } })).name, 'rack-7')
  // The printed command has every flag that the host was enrolled with.
  const printed = first.err.split('Run its machines with: ')[1]?.trim()
  assert.equal(printed, `bourse agent run --directory ${directory} --driver simulated`)
  assert.equal(statSync(join(directory, 'host.key')).mode & 0o777, 0o600)
  const key = readFileSync(join(directory, 'host.key'), 'utf8')
  assert.match(key, /PRIVATE KEY/)
  const again = await enrol(directory, permit)
  assert.deepEqual([again.code, again.out.trim()], [0, host])
  assert.match(again.err, /epoch 2/)
  assert.equal(readFileSync(join(directory, 'host.key'), 'utf8'), key)
})

test('agent change-key makes a key for the host of its directory only', async () => {
  const directory = newDirectory()
  const strange = join(directory, 'typo')
  const refused = await bourse(['agent', 'change-key', '--directory', strange], {})
  assert.deepEqual([refused.code, refused.out], [1, ''])
  assert.match(refused.err, new RegExp(`No host is enrolled in ${strange}\\.`))
  assert.equal(existsSync(strange), false)
  assert.equal((await enrol(directory, await makePermit(await makeSku(server), 1))).code, 0)
  const changed = await bourse(['agent', 'change-key', '--directory', directory], {})
  assert.equal(changed.code, 0, changed.err)
  assert.match(changed.out, /^[A-Za-z0-9+/]{43}=\n$/)
})

test('the agent that a server serves enrols and runs on a host without any other files', async () => {
  const [unpacked, directory] = [newDirectory(), newDirectory()]
  const { command, token: permit } = await server.call('create_host_enrolment', {
    token: operator.token,
    body: { sku: await makeSku(server) },
  })
  const [, url] = /curl -fsS (\S+) \|/.exec(command) ?? []
  const archive = join(unpacked, 'bundle.tgz')
  writeFileSync(archive, Buffer.from(await (await fetch(url as string)).arrayBuffer()))
  const ran = async (program: string, ...words: string[]) => {
    const child = spawn(program, words, {
      cwd: unpacked,
      env: { PATH: process.env.PATH, BOURSE_NODE: process.execPath },
    })
    const [out, err] = [text(child.stdout), text(child.stderr)]
    const [code] = await once(child, 'close')
    assert.equal(code, 0, await err)
    return out
  }
  await ran('tar', '-xzf', archive)
  assert.deepEqual(readdirSync(join(unpacked, 'node_modules')).sort(), ['@bourse', 'commander', 'jose'])
  const own = join(unpacked, 'packages/agent/bin/bourse')
  const place = ['--driver', 'simulated', '--directory', directory]
  const permitFile = join(unpacked, 'permit')
  writeFileSync(permitFile, permit)
  const source = ['--server', server.url, '--token-file', permitFile]
  const host = (await ran(own, 'agent', 'enrol', ...place, ...source)).trim()
  assert.equal((await server.call('get_host', { params: { id: host } })).agent_version, '0.1.0')
  assert.match(await ran(own, 'agent', 'check', ...place), /no real machines run/)
})

test('on a host without QEMU the error names each missing program once and a command to install them', async () => {
  const place = ['agent', 'check', '--directory', newDirectory()]
  const bare = { PATH: newDirectory() }
  const printed = await bourse(place, bare)
  assert.equal(printed.code, 78)
  assert.match(printed.out, /^missing qemu-img: not found; it makes disks, package qemu-utils$/m)
  assert.match(printed.err, /apt-get install -y --no-install-recommends qemu-system-x86 qemu-utils util-linux openssh/)
  assert.doesNotMatch(printed.err, /not found/)
  const data = JSON.parse((await bourse([...place, '-o', 'json'], bare)).out)
  assert.deepEqual([data.object, data.data[1].name, data.data[1].status], ['list', 'qemu-img', 'missing'])
  const run = await bourse(['agent', 'run', '--directory', newDirectory()], bare)
  assert.deepEqual([run.code, /qemu-img: not found.*apt-get install/.test(run.err)], [78, true])
})

test('an empty variable of the directory counts for nothing', async () => {
  for (const variables of [{}, { BOURSE_AGENT_DIR: '' }]) {
    const { out } = await runnerFor(variables)('agent', 'check', '--help')
    assert.match(out.replaceAll(/\s+/g, ' '), /images of the agent\. \(default: "\S+\/\.bourse-agent"\)/)
  }
  const { out } = await runnerFor({ BOURSE_AGENT_DIR: '/srv/agent' })('agent', 'check', '--help')
  assert.match(out, /default: "\/srv\/agent"/)
})

test('a wrong file of accelerators is named with its mistake before anything is enrolled or checked', async () => {
  const directory = newDirectory()
  const file = join(directory, 'models.json')
  const body = { sku: await makeSku(server), slots: 1, uses: 1 }
  const { token: permit } = await server.call('create_host_enrolment', { token: operator.token, body })
  for (const [content, mistake] of [
    ['[{"pci_id": "h100", "kind": "h100", "name": "H100"}]', /models\.json is wrong\. Entry 1: pci_id must be /],
    ['{}', /is wrong\. It must be a list/],
    [undefined, /cannot be read: ENOENT/],
  ] as const) {
    if (content === undefined) rmSync(file)
    else writeFileSync(file, content)
    const refused = await enrol(directory, permit, '--accelerators-file', file)
    assert.deepEqual([refused.code, refused.out, mistake.test(refused.err)], [1, '', true], refused.err)
    const place = ['agent', 'check', '--driver', 'simulated', '--directory', directory, '--accelerators-file', file]
    const checked = await runnerFor({})(...place)
    assert.deepEqual([checked.code, mistake.test(checked.err)], [1, true], checked.err)
  }
  assert.equal(existsSync(join(directory, 'host.key')), false)
  // The permit is for one host.
  const { code, err } = await enrol(directory, permit)
  assert.equal(code, 0, err)
})

test('the first facts of a host hold what its driver found, as those of later reports do', async () => {
  const programs = newDirectory()
  writeFileSync(join(programs, 'qemu-system-x86_64'), '#!/bin/sh\necho QEMU emulator version 9.8.7\n', { mode: 0o755 })
  const words = ['agent', 'enrol', '--directory', newDirectory(), '--server', server.url]
  const permit = await makePermit(await makeSku(server), 1)
  const { code, out, err } = await bourse(words, { BOURSE_ENROL_TOKEN: permit, PATH: programs })
  assert.equal(code, 0, err)
  assert.equal((await server.call('get_host', { params: { id: out.trim() } })).facts.hardware.qemu, '9.8.7')
})

test('a host that must have full networks and has none is not enrolled, and learns what is missing', async () => {
  const directory = newDirectory()
  const permit = await makePermit(await makeSku(server), 1)
  // No machine is reachable at this address, so the host lacks full networks whatever its rights.
  const words = ['agent', 'enrol', '--directory', directory, '--server', server.url, '--host-address', '127.0.0.1']
  const run = runnerFor({ BOURSE_ENROL_TOKEN: permit })
  const { code, out, err } = await run(...words, '--network', 'full')
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /was not enrolled: it has no full networks\. .*For full networks: \S/)
  assert.equal(existsSync(join(directory, 'host.key')), false)
  const usual = await run(...words)
  assert.equal(usual.code, 0, usual.err)
  assert.match(usual.err, /^network: SSH only/m)
  const host = await server.call('get_host', { params: { id: usual.out.trim() } })
  assert.equal(host.facts.network, 'ssh_only')
})

test('a failed enrolment is explained in one sentence', async () => {
  const directory = newDirectory()
  const wrong = await enrol(directory, 'bhe_absent')
  assert.deepEqual([wrong.code, wrong.out], [1, ''])
  assert.match(wrong.err, /invalid, used up or expired/)
  const nowhere = await enrol(directory, 'x', '--server', 'http://127.0.0.1:9')
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.err, /cannot be reached/)
  const bare = await runnerFor({})('agent', 'run', '--driver', 'simulated', '--directory', directory)
  assert.equal(bare.code, 1)
  assert.match(bare.err, /No host is enrolled/)
})

test('a host trusts no http URL of another machine, unless told otherwise', async () => {
  const directory = newDirectory()
  const permit = await makePermit(await makeSku(server), 1)
  // 0.0.0.0 reaches this machine, but is not one of the addresses that can only be this machine.
  const url = server.url.replace('127.0.0.1', '0.0.0.0')
  const refused = await enrol(directory, permit, '--server', url)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /is not encrypted.*--insecure-http/)
  assert.ok(!existsSync(join(directory, 'host.key')))
  assert.equal((await enrol(directory, permit, '--server', url, '--insecure-http')).code, 0)
  const accepted = JSON.parse(readFileSync(join(directory, 'enrolment.json'), 'utf8'))
  writeFileSync(join(directory, 'enrolment.json'), JSON.stringify({ ...accepted, accepts_http: undefined }))
  const run = await runnerFor({})('agent', 'run', '--driver', 'simulated', '--directory', directory)
  assert.equal(run.code, 1)
  assert.match(run.err, /is not encrypted/)
})

test('an agent runs its instances, keeps them through a crash, and ends removed ones', async () => {
  const directory = newDirectory()
  const { host, pool, sku } = await enrolWithNodes(directory, 2)
  const image = (await makeImage(server, account)).id
  const cloud_init_user_data = Buffer.from('secret words of a test').toString('base64')
  const body = { pool, sku, image, cloud_init_user_data }
  const made = await Promise.all([1, 2].map(() => server.call('create_instance', { token, body })))
  const [first, second] = made.map(({ id }) => id as string) as [string, string]
  const agent = runAgent(directory)
  await Promise.all([instanceIs(first, 'running'), instanceIs(second, 'running')])
  const hasSsh = async () => {
    assert.equal((await server.attempt('get_instance_ssh', { params: { id: first }, token })).status, 200)
    return true
  }
  await eventually('the SSH server of the first instance is known', hasSsh)
  await logHas(first, 'booted')
  assert.match(await logOf(first), /22 bytes of user data/)

  await agent.kill('SIGKILL')
  for (const file of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const content = readFileSync(join(file.parentPath, file.name), 'utf8')
    assert.ok(!content.includes('secret words') && !content.includes(cloud_init_user_data), file.name)
  }
  await server.call('terminate_instance', { params: { id: second }, token })
  const successor = runAgent(directory)
  await usedSlotsAre(host, 1, successor)
  await instanceIs(first, 'running')
  assert.equal((await logOf(first)).match(/booted/g)?.length, 1)

  await server.call('terminate_instance', { params: { id: first }, token })
  await usedSlotsAre(host, 0, successor)
  const isEmpty = () => {
    assert.deepEqual(readdirSync(join(directory, 'machines')), [])
    return true
  }
  await eventually('no folder of a machine remains', isEmpty)
  assert.equal(await successor.kill('SIGTERM'), 0)
  assert.match(successor.texts.err, /Machines keep running/)
})

test('each console line is stored once, although responses to the agent are lost', async () => {
  const directory = newDirectory()
  const { host, pool, sku } = await enrolWithNodes(directory, 1)
  const image = (await makeImage(server, account)).id
  const { id } = await server.call('create_instance', { token, body: { pool, sku, image } })
  const agent = runAgent(directory)
  await instanceIs(id, 'running')
  const path = join(directory, 'machines', id, 'console.log')
  await logHas(id, 'booted')
  const body = { kind: 'connection_cut', moment: 'after', operation: 'append_instance_logs', times: 0 } as const
  const fault = await server.call('create_fault', { body })
  appendFileSync(path, 'said while answers are lost\n')
  await logHas(id, 'said while answers are lost')
  appendFileSync(path, 'said before the agent knew\n')
  await server.call('delete_fault', { params: { id: fault.id } })
  await logHas(id, 'said before the agent knew')
  assert.equal(await logOf(id), readFileSync(path, 'utf8'))
  await server.call('terminate_instance', { params: { id }, token })
  await usedSlotsAre(host, 0, agent)
  await agent.kill('SIGTERM')
})

test('a public address of the host itself, or a malformed one, is refused before the enrolment', async () => {
  const directory = newDirectory()
  const permit = await makePermit(await makeSku(server), 1)
  const address = ['--host-address', '192.0.2.7']
  const own = await enrol(directory, permit, ...address, '--public-ipv4', '198.51.100.1', '192.0.2.7')
  assert.deepEqual([own.code, own.out], [1, ''])
  assert.match(own.err, /192\.0\.2\.7 is the address of this host/)
  assert.match((await enrol(directory, permit, ...address, '--public-ipv4', 'web')).err, /web is not an IPv4 address/)
  const good = await enrol(directory, permit, ...address, '--public-ipv4', '198.51.100.1')
  const { facts } = await server.call('get_host', { params: { id: good.out.trim() } })
  assert.deepEqual(facts.public_ipv4s, ['198.51.100.1'])
})

test('a machine that does not exist when the agent restarts is reported as lost', async () => {
  const directory = newDirectory()
  const { pool, sku } = await enrolWithNodes(directory, 1)
  const image = (await makeImage(server, account)).id
  const { id } = await server.call('create_instance', { token, body: { pool, sku, image } })
  const agent = runAgent(directory)
  await instanceIs(id, 'running')
  const record = join(directory, 'machines', id, 'machine.json')
  const isRecorded = () => {
    assert.match(readFileSync(record, 'utf8'), /"running"/)
    return true
  }
  await eventually('the agent has recorded that the machine runs', isRecorded)
  await agent.kill('SIGKILL')
  const state = join(directory, 'machines', id, 'simulated.json')
  assert.ok(existsSync(state))
  rmSync(state)
  const successor = runAgent(directory)
  await instanceIs(id, 'failed')
  await successor.kill('SIGTERM')
})

test('an image that no machine uses is removed, and one that is being fetched is kept', async () => {
  const directory = newDirectory()
  const bytes = Buffer.from('an image')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  let send = () => {}
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  const store = createServer(async (_, response) => {
    response.write(bytes.subarray(0, 2))
    await sent
    response.end(bytes.subarray(2))
  }).listen(0, '127.0.0.1')
  await once(store, 'listening')
  atEnd(() => store.close())
  const url = `http://127.0.0.1:${(store.address() as AddressInfo).port}/`
  const images = openImages(directory)
  const image = { id: 'image_a' as const, url, sha256, size_bytes: bytes.length, expires_at: null }
  const { signal } = new AbortController()
  const fetching = images.fetch(image, signal)
  const part = join(directory, 'images', `image_a-${sha256}.part`)
  await eventually('a part of the image is stored', () => existsSync(part))
  await images.sweep([])
  send()
  const path = await fetching
  assert.deepEqual(readFileSync(path), bytes)
  await images.sweep([image])
  assert.ok(existsSync(path))
  writeFileSync(`${path.slice(0, -1)}x.part`, 'what a broken download left')
  await images.sweep([])
  assert.deepEqual(readdirSync(join(directory, 'images')), [])
  const wrong = images.fetch({ ...image, sha256: '0'.repeat(64) }, signal)
  await assert.rejects(wrong, { name: 'StartFailure', reason: 'checksum_mismatch' })
  assert.deepEqual(readdirSync(join(directory, 'images')), [])
  await assert.rejects(images.fetch(null, signal), { reason: 'image_gone' })
})

test('a host with machines of one server does not enrol with another', async () => {
  const directory = newDirectory()
  const permit = await makePermit(await makeSku(server), 1)
  await enrol(directory, permit)
  const machine = join(directory, 'machines', 'inst_a')
  mkdirSync(machine, { recursive: true })
  writeFileSync(join(machine, 'machine.json'), '{}')
  const other = await enrol(directory, permit, '--server', 'http://127.0.0.1:9')
  assert.equal(other.code, 1)
  assert.match(other.err, /Machines of http.* run here/)
  assert.equal((await enrol(directory, permit)).code, 0)
})

test('an agent whose host has enrolled elsewhere exits with a message', async () => {
  const directory = newDirectory()
  const permit = await makePermit(await makeSku(server), 1)
  await enrol(directory, permit)
  const agent = runAgent(directory)
  const ended = once(agent.child, 'close')
  const runs = () => {
    assert.match(agent.texts.err, /Running machines/)
    return true
  }
  await eventually('the agent runs machines', runs)
  await enrol(directory, permit)
  assert.equal((await ended)[0], 1)
  assert.match(agent.texts.err, /enrolled again: another agent/)
})

test('an agent learns that its host is retired from the code of the refusal', async () => {
  const directory = newDirectory()
  await enrol(directory, await makePermit(await makeSku(server), 1))
  const enrolment = (await readEnrolment(directory)) ?? assert.fail('It is not enrolled.')
  const { now } = await server.call('get_clock')
  await server.call('drain_host', { params: { id: enrolment.host }, body: { deadline_at: now + 30 } })
  await server.advance(30)
  await server.call('retire_host', { params: { id: enrolment.host } })
  const calls = serverCalls(server.url, tokenMaker(await openKey(directory), enrolment))
  const refusal = await calls.desired(undefined, new AbortController().signal).catch((error) => error)
  assert.deepEqual([refusal.status, refusal.code], [401, 'host_retired'], refusal.message)
})
