import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundlesMax } from '@bourse/api/fleet/agent-bundles.ts'
import { readSigners, verifySshSignature } from '@bourse/api/fleet/agent-signatures.ts'
import { afterEach, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { platformAccount } from '../support/access.ts'
import { enrol, facts, type TestAgent } from '../support/agents.ts'
import { signedBundle, signerLine, signingKey, signText } from '../support/bundles.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const strict = await startTestServer({ agent_signers: [signerLine()] })
const platform = await platformAccount(server)
const all = ['rest']
let versions = 0

async function addVersion(changes: object = {}): Promise<string> {
  const version = `2.0.${++versions}`
  await server.call('create_agent_bundle', { body: signedBundle({ version, ...changes }) })
  return version
}

let hosts = 0
async function addHost(sku?: string): Promise<TestAgent> {
  const body = { sku: sku ?? (await makeSku(server)) }
  const { token } = await server.call('create_host_enrolment', { token: platform.token, body })
  const own = { ...facts, host_address: `192.0.2.${++hosts}`, public_ipv4s: [] }
  const agent = await enrol(server, token, { facts: own })
  await report(agent)
  return agent
}

function report(agent: TestAgent, more: object = {}) {
  const body = { epoch: agent.epoch, generation: 0, health: 'healthy' as const, instances: [], ...more }
  return agent.call('report_host', { body })
}

/** What the updater of a host asks once a minute. */
async function check(agent: TestAgent, version: string, more: object = {}) {
  const body = { managed_by: 'updater' as const, version, updater_version: version, ...more }
  return agent.call('check_agent_update', { body })
}

/** A host that runs a version says so. */
async function runs(agent: TestAgent, version: string): Promise<void> {
  await agent.call('report_agent_version', { body: { epoch: agent.epoch, version, commit: 'abc123' } })
  await check(agent, version)
}

function rolloutOf(id: string) {
  return server.call('get_agent_rollout', { params: { id } })
}

async function isState(id: string, state: string) {
  return eventually(`the rollout is ${state}`, async () => {
    const rollout = await rolloutOf(id)
    assert.equal(rollout.state, state, JSON.stringify(rollout))
    return rollout
  })
}

function wanted(agent: TestAgent, version: string, expected: string | undefined) {
  return eventually(`the host wants ${expected}`, async () => {
    const { wanted: found } = await check(agent, version)
    assert.equal(found?.version, expected)
    return found
  })
}

/** Hosts of one test are none of the next. */
afterEach(async () => {
  for (const state of ['running', 'halted'] as const) {
    for (const { id } of (await server.call('list_agent_rollouts', { query: { state: [state] } })).data)
      await server.call('cancel_agent_rollout', { params: { id } })
  }
  for (const { id } of (await server.call('list_hosts', { query: { limit: 200 } })).data) {
    const params = { id }
    const { now } = await server.call('get_clock')
    await server.attempt('drain_host', { params, body: { deadline_at: now + 1, force: true } })
    await server.advance(120)
    await server.attempt('retire_host', { params })
  }
})

test('a version is added with its signature, read, listed, downloaded by its digest and deleted', async () => {
  const bundle = signedBundle({ version: '1.9.0', commit: 'abc123' })
  const added = await server.call('create_agent_bundle', { body: bundle })
  const { id, created_at, sha256, ...shown } = added
  assert.deepEqual(shown, {
    object: 'agent_bundle',
    version: '1.9.0',
    commit: 'abc123',
    architecture: 'any',
    protocol: 1,
    oldest_server_protocol: 1,
    size_bytes: Buffer.from(bundle.content, 'base64').length,
    signer: signerLine(),
  })
  assert.deepEqual(await server.call('get_agent_bundle', { params: { id } }), added)
  assert.ok((await server.call('list_agent_bundles')).data.some((one) => one.id === id))
  const archive = await fetch(`${server.url}/agent/v1/bundles/${sha256}`)
  assert.equal(Buffer.from(await archive.arrayBuffer()).toString('base64'), bundle.content)
  for (const digest of ['0'.repeat(64), '%00', '..%2f', 'x'.repeat(64)]) {
    assert.equal((await fetch(`${server.url}/agent/v1/bundles/${digest}`)).status, 404, digest.slice(0, 64))
  }
  await server.call('delete_agent_bundle', { params: { id } })
  assert.equal((await server.attempt('get_agent_bundle', { params: { id } })).status, 404)
  assert.equal((await server.attempt('delete_agent_bundle', { params: { id } })).status, 404)
})

test('a version whose signature, manifest or archive do not fit each other is refused', async () => {
  const good = signedBundle({ version: '1.8.0' })
  const add = async (body: Partial<typeof good>, at = server) =>
    refusalOf(await at.attempt('create_agent_bundle', { body: { ...good, ...body } }))
  const other = signedBundle({ version: '1.8.1' })
  assert.deepEqual(await add({ signature: other.signature }), [422, 'bundle_refused', 'signature'])
  assert.deepEqual(await add({ signature: 'none' }), [422, 'bundle_refused', 'signature'])
  const foreign = signText(good.manifest, { namespace: 'bourse-release' })
  assert.deepEqual(await add({ signature: foreign }), [422, 'bundle_refused', 'signature'])
  assert.deepEqual(await add({ content: other.content }), [422, 'bundle_refused', 'content'])
  assert.deepEqual(await add({ manifest: '{}' }), [422, 'bundle_refused', 'manifest'])
  assert.deepEqual(await add({ manifest: 'no JSON' }), [422, 'bundle_refused', 'manifest'])
  assert.deepEqual(await add({ content: 'YQ=' }), [400, 'invalid_base64', 'content'])
  const strange = signedBundle({ version: '1.8.0', key: signingKey('b') })
  assert.deepEqual(await add(strange, strict), [422, 'bundle_refused', 'signature'])
  assert.equal((await strict.attempt('create_agent_bundle', { body: good })).status, 201)
  assert.equal((await server.attempt('create_agent_bundle', { body: good })).status, 201)
  assert.deepEqual(await add(strange), [409, 'bundle_exists', 'manifest'])
})

test('there is room for so many versions', async () => {
  const full = await startTestServer()
  for (let count = 0; count < bundlesMax; count++)
    await full.call('create_agent_bundle', { body: signedBundle({ version: `0.1.${count}` }) })
  const more = await full.attempt('create_agent_bundle', { body: signedBundle({ version: '0.2.0' }) })
  assert.deepEqual(refusalOf(more).slice(0, 2), [422, 'limit_exceeded'])
})

test('signatures are those of ssh-keygen', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-signature-'))
  const [key, file] = [join(directory, 'key'), join(directory, 'manifest')]
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'release', '-f', key])
  writeFileSync(file, 'a text\n')
  execFileSync('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', 'bourse-agent', file], { stdio: 'ignore' })
  const signature = readFileSync(`${file}.sig`, 'utf8')
  const [signer] = readSigners(`# keys\nrelease namespaces="bourse-agent" ${readFileSync(`${key}.pub`, 'utf8')}`)
  assert.deepEqual(await verifySshSignature('a text\n', signature, 'bourse-agent'), { signer })
  assert.ok('problem' in (await verifySshSignature('a text', signature, 'bourse-agent')))
  assert.ok('problem' in (await verifySshSignature('a text\n', signature, 'bourse-release')))
  assert.ok('problem' in (await verifySshSignature('a text\n', signature.replace('U1NI', 'U1NJ'), 'bourse-agent')))
  // And the other way round: what tests sign is what ssh-keygen accepts.
  writeFileSync(join(directory, 'signers'), `release ${signerLine()}\n`)
  writeFileSync(`${file}.sig`, signText('a text\n'))
  const words = ['-Y', 'verify', '-f', join(directory, 'signers'), '-I', 'release', '-n', 'bourse-agent']
  const said = execFileSync('ssh-keygen', [...words, '-s', `${file}.sig`], { input: 'a text\n', encoding: 'utf8' })
  assert.match(said, /Good "bourse-agent" signature/)
})

test('hosts learn at their enrolment which keys may sign versions', async () => {
  const { token: operator } = await platformAccount(strict)
  const { token } = await strict.call('create_host_enrolment', {
    token: operator,
    body: { sku: await makeSku(strict) },
  })
  const { introduction, makeHostKey } = await import('../support/agents.ts')
  const body = introduction(token, makeHostKey(), { facts })
  assert.deepEqual((await strict.call('enrol_host', { token: null, body })).agent_signers, [signerLine()])
})

test('a rollout updates one host of a SKU at a time, and completes', async () => {
  const sku = await makeSku(server)
  const [one, two] = [await addHost(sku), await addHost(sku)]
  for (const agent of [one, two]) await runs(agent, '1.0.0')
  const version = await addVersion()
  const { id } = await server.call('create_agent_rollout', {
    body: { agent_version: version, groups: all, health_seconds: 0 },
  })
  const begun = await eventually('a host begins', async () => {
    const { hosts: shown } = await rolloutOf(id)
    const updating = shown.filter(({ state }) => state === 'updating')
    assert.deepEqual([updating.length, updating[0]?.from_version], [1, '1.0.0'])
    return updating[0]?.host
  })
  const [first, second] = one.host === begun ? [one, two] : [two, one]
  assert.equal((await check(second as TestAgent, '1.0.0')).wanted, null)
  const offer = await wanted(first as TestAgent, '1.0.0', version)
  assert.deepEqual(Object.keys(offer?.bundle ?? {}), ['manifest', 'signature'])
  await runs(first as TestAgent, version)
  await wanted(second as TestAgent, '1.0.0', version)
  await runs(second as TestAgent, version)
  const ended = await isState(id, 'completed')
  assert.equal(ended.groups[0]?.updated, 2)
  const { version: fleet, bundle } = await server.call('get_fleet_agent', { token: null })
  assert.deepEqual([fleet, bundle?.signature], [version, offer?.bundle?.signature])
  const shown = await server.call('get_host', { params: { id: one.host } })
  assert.deepEqual([shown.agent_version, shown.agent_commit, shown.agent_managed_by], [version, 'abc123', 'updater'])
  const events = await server.call('list_events', { query: { action: 'agent_rollout.completed', limit: 200 } })
  assert.ok(events.data.some(({ targets }) => targets[0]?.id === id))
})

test('the first failure halts a rollout with its reason, and resuming tries again', async () => {
  const agent = await addHost()
  await runs(agent, '1.0.0')
  const version = await addVersion()
  const { id } = await server.call('create_agent_rollout', {
    body: { agent_version: version, groups: all, health_seconds: 0 },
  })
  const first = await wanted(agent, '1.0.0', version)
  const failed = { key: first?.key ?? '', reason: 'The agent did not start.' }
  await check(agent, '1.0.0', { failed })
  const halted = await isState(id, 'halted')
  assert.deepEqual([halted.halt_reason, halted.groups[0]?.failed], ['update_failed', 1])
  assert.match(halted.halt_message ?? '', new RegExp(`${agent.host}: The agent did not start\\.`))
  assert.equal((await check(agent, '1.0.0')).wanted, null)
  assert.match(await (await fetch(`${server.url}/metrics`)).text(), /bourse_agent_rollouts\{state="halted"\} 1/)
  const events = await server.call('list_events', { query: { action: 'agent_rollout.halted', limit: 200 } })
  assert.ok(events.data.some(({ targets }) => targets[0]?.id === id))
  await server.call('resume_agent_rollout', { params: { id } })
  const second = await wanted(agent, '1.0.0', version)
  assert.notEqual(second?.key, first?.key)
  // The former failure is not that of this attempt.
  assert.equal((await check(agent, '1.0.0', { failed })).wanted?.version, version)
  await runs(agent, version)
  await isState(id, 'completed')
})

test('hosts that are pinned, packaged or without an updater are left out, and follow when they can', async () => {
  const [pinned, packaged, without] = [await addHost(), await addHost(), await addHost()]
  await runs(pinned, '1.0.0')
  await check(packaged, '1.0.0', { managed_by: 'package' })
  const shown = await server.call('pin_host_agent', { params: { id: pinned.host } })
  assert.equal(shown.agent_pinned, true)
  assert.equal((await check(pinned, '1.0.0')).pinned, true)
  const version = await addVersion()
  const { id } = await server.call('create_agent_rollout', { body: { agent_version: version, health_seconds: 0 } })
  const rollout = await isState(id, 'completed')
  const reasons = new Map<string, string>(rollout.hosts.map(({ host, state, reason }) => [host, `${state} ${reason}`]))
  assert.equal(reasons.get(pinned.host), 'skipped pinned')
  assert.equal(reasons.get(packaged.host), 'skipped package')
  assert.equal(reasons.get(without.host), 'skipped no_updater')
  await server.call('unpin_host_agent', { params: { id: pinned.host } })
  await wanted(pinned, '1.0.0', version)
  await runs(pinned, version)
  await wanted(without, '1.0.0', version)
  await runs(without, version)
  await eventually('both have the version', async () => {
    const { hosts: left } = await rolloutOf(id)
    assert.deepEqual(
      left.map(({ host }) => host),
      [packaged.host],
    )
    return true
  })
})

test('a rollout that is rolled back gives its hosts their former versions', async () => {
  const agent = await addHost()
  await runs(agent, '1.0.0')
  const version = await addVersion()
  const { id } = await server.call('create_agent_rollout', {
    body: { agent_version: version, groups: all, health_seconds: 0 },
  })
  await wanted(agent, '1.0.0', version)
  await runs(agent, version)
  await isState(id, 'completed')
  const back = await server.call('roll_back_agent_rollout', { params: { id } })
  assert.deepEqual([back.rolls_back, back.agent_version, (await rolloutOf(id)).state], [id, version, 'cancelled'])
  const former = await wanted(agent, version, '1.0.0')
  assert.equal(former?.bundle, null)
  await runs(agent, '1.0.0')
  await isState(back.id, 'completed')
  assert.notEqual((await server.call('get_fleet_agent', { token: null })).version, version)
})

test('an unknown version, a foreign protocol, groups that do not fit, and a second rollout are refused', async () => {
  const version = await addVersion()
  const create = async (body: object) =>
    refusalOf(await server.attempt('create_agent_rollout', { body: { agent_version: version, ...body } as never }))
  assert.deepEqual(await create({ agent_version: '9.9.9' }), [422, 'reference_not_found', 'agent_version'])
  const newer = await addVersion({ oldest_server_protocol: 2 })
  assert.deepEqual(await create({ agent_version: newer }), [422, 'bundle_not_supported', 'agent_version'])
  assert.deepEqual(await create({ groups: ['canary=1%'] }), [400, 'invalid_value', 'groups'])
  assert.deepEqual(await create({ groups: ['canary', 'rest'] }), [400, 'invalid_value', 'groups'])
  assert.deepEqual(await create({ groups: ['a=60%', 'b=40%', 'rest'] }), [400, 'invalid_value', 'groups'])
  assert.deepEqual(await create({ groups: ['rest=1%', 'rest'] }), [400, 'duplicate_entry', 'groups'])
  const { id } = await server.call('create_agent_rollout', { body: { agent_version: version, halted: true } })
  assert.deepEqual((await create({})).slice(0, 2), [409, 'rollout_in_progress'])
  const bundle = (await server.call('list_agent_bundles', { query: { limit: 200 } })).data.find(
    (one) => one.version === version,
  )
  const remove = await server.attempt('delete_agent_bundle', { params: { id: bundle?.id ?? '' } })
  assert.deepEqual(refusalOf(remove).slice(0, 2), [409, 'in_use'])
  const names = [
    'halt_agent_rollout',
    'resume_agent_rollout',
    'cancel_agent_rollout',
    'roll_back_agent_rollout',
  ] as const
  const refused = async (name: (typeof names)[number]) =>
    refusalOf(await server.attempt(name, { params: { id } })).slice(0, 2)
  assert.deepEqual(await refused('halt_agent_rollout'), [409, 'invalid_state'])
  await server.call('resume_agent_rollout', { params: { id } })
  assert.deepEqual(await refused('resume_agent_rollout'), [409, 'invalid_state'])
  await server.call('cancel_agent_rollout', { params: { id } })
  assert.deepEqual(await refused('cancel_agent_rollout'), [409, 'invalid_state'])
  assert.deepEqual(await refused('roll_back_agent_rollout'), [409, 'invalid_state'])
})

test('an agent with a former enrolment does not report its version', async () => {
  const body = { sku: await makeSku(server), uses: 2 }
  const { token } = await server.call('create_host_enrolment', { token: platform.token, body })
  const own = { ...facts, host_address: `192.0.2.${++hosts}`, public_ipv4s: [] }
  const former = await enrol(server, token, { facts: own })
  const agent = await enrol(server, token, { key: former.key, facts: own })
  const attempt = async (epoch: number) =>
    agent.attempt('report_agent_version', { body: { epoch, version: '1.0.0', commit: null } })
  assert.deepEqual(refusalOf(await attempt(former.epoch)).slice(0, 2), [409, 'stale_epoch'])
  assert.equal((await attempt(agent.epoch)).status, 200)
})

test('the updater of a host that is retired is refused', async () => {
  const agent = await addHost()
  const { now } = await server.call('get_clock')
  await server.call('drain_host', { params: { id: agent.host }, body: { deadline_at: now + 1, force: true } })
  await server.advance(120)
  await server.call('retire_host', { params: { id: agent.host } })
  const body = { managed_by: 'updater' as const, version: '1.0.0', updater_version: '1.0.0' }
  const refused = await agent.attempt('check_agent_update', { body })
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [401, 'host_retired'])
})

test('a host that failed with the version is watched again, and given its former version by a rollback', async () => {
  const agent = await addHost()
  await runs(agent, '1.0.0')
  const version = await addVersion()
  const { id } = await server.call('create_agent_rollout', {
    body: { agent_version: version, groups: all, health_seconds: 0 },
  })
  const offer = await wanted(agent, '1.0.0', version)
  await agent.call('report_agent_version', { body: { epoch: agent.epoch, version, commit: null } })
  await check(agent, version, { updater_version: '1.0.0', failed: { key: offer?.key, reason: 'Its updater broke.' } })
  await isState(id, 'halted')
  await server.call('resume_agent_rollout', { params: { id } })
  // It has the version, and its updater has not: nothing could take the next version back.
  await eventually('it is watched', async () => {
    assert.equal((await rolloutOf(id)).hosts[0]?.state, 'updating')
    return true
  })
  assert.equal((await rolloutOf(id)).hosts[0]?.from_version, '1.0.0')
  await runs(agent, version)
  await isState(id, 'completed')
  const back = await server.call('roll_back_agent_rollout', { params: { id } })
  assert.equal(back.groups[0]?.hosts, 1)
  await wanted(agent, version, '1.0.0')
})
