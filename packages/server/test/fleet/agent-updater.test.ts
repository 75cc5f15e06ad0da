/** The updater of a host with a real server. What restarts the agent is the test, which also reports as the agent. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { arch, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { BundleManifest } from '@bourse/api/fleet/agent-bundles.ts'
import { afterEach, test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openKey, publicHalf, writeEnrolment } from '../../../agent/src/identity.ts'
import { attemptsMax } from '../../../agent/src/update/download.rules.ts'
import { updateAgent } from '../../../agent/src/update/updater.ts'
import { platformAccount } from '../support/access.ts'
import { enrol, facts } from '../support/agents.ts'
import { signedBundle, signerLine } from '../support/bundles.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const operator = await platformAccount(server)
const place = mkdtempSync(join(tmpdir(), 'bourse-updater-'))
atEnd(() => rmSync(place, { recursive: true, force: true }))
const never = new AbortController().signal
let hosts = 0
let versions = 0

/** Rollouts of one test are not in the way of the next. */
afterEach(async () => {
  for (const state of ['running', 'halted'] as const) {
    for (const { id } of (await server.call('list_agent_rollouts', { query: { state: [state] } })).data)
      await server.call('cancel_agent_rollout', { params: { id } })
  }
})

/** A host with version 1.0.0 whose agent reports. */
async function makeHost() {
  const own = join(place, `host-${++hosts}`)
  const [root, directory] = [join(own, 'opt'), join(own, 'var')]
  mkdirSync(join(root, 'versions/1.0.0'), { recursive: true })
  mkdirSync(directory)
  for (const link of ['current', 'updater']) symlinkSync('versions/1.0.0', join(root, link))
  writeFileSync(join(directory, 'agent-signers'), `${signerLine()}\n`)
  const private_key = await openKey(directory)
  const body = { sku: await makeSku(server) }
  const { token } = await server.call('create_host_enrolment', { token: operator.token, body })
  const ownFacts = { ...facts, host_address: `192.0.2.${hosts}`, public_ipv4s: [] }
  const key = { public_key: publicHalf(private_key), private_key }
  const agent = await enrol(server, token, { key, facts: ownFacts })
  const { host, epoch, audience } = agent
  const enrolment = { server: server.url, host, epoch, audience }
  await writeEnrolment(directory, enrolment)
  const report = { epoch, generation: 0, health: 'healthy' as const, instances: [] }
  await agent.call('report_host', { body: report })
  await agent.call('report_agent_version', { body: { epoch, version: '1.0.0', commit: null } })
  const version = () => basename(readlinkSync(join(root, 'current')))
  /** An agent that starts and whose reports the server accepts. */
  const starts = async () => writeFileSync(join(directory, 'reported.json'), JSON.stringify({ version: version() }))
  const update = (restart: () => Promise<void> = starts, signal = never) => {
    const signers_file = join(directory, 'agent-signers')
    const options = {
      root,
      directory,
      signers_file,
      restart,
      wait_seconds: 60,
      pause_milliseconds: 1,
      otherwise: 'none' as const,
    }
    return updateAgent({ ...options, log: () => {} }, signal)
  }
  const folders = () => readdirSync(join(root, 'versions')).sort()
  return { id: host, root, directory, enrolment, version, starts, update, folders }
}

type TestHost = Awaited<ReturnType<typeof makeHost>>

/** An archive of the entries of a folder. */
function archiveOf(...files: readonly string[]): Buffer {
  const folder = mkdtempSync(join(place, 'archive-'))
  for (const file of files) writeFileSync(join(folder, file), file)
  return execFileSync('tar', ['--format=ustar', '-cz', '-C', folder, ...files])
}

async function rollOut(changes: Partial<BundleManifest> & { archive?: Buffer } = {}) {
  const version = `2.0.${++versions}`
  await server.call('create_agent_bundle', {
    body: signedBundle({ archive: archiveOf('program'), version, ...changes }),
  })
  const body = { agent_version: version, groups: ['rest'], health_seconds: 0 }
  const { id } = await server.call('create_agent_rollout', { body })
  return { id, version }
}

/** The updater of a host runs until the rollout has a state. */
function updatedUntil(host: TestHost, id: string, state: string, restart?: () => Promise<void>) {
  return eventually(`the rollout is ${state}`, async () => {
    await host.update(restart)
    const rollout = await server.call('get_agent_rollout', { params: { id } })
    assert.equal(rollout.state, state)
    return rollout
  })
}

async function completed(id: string) {
  await eventually('the rollout is completed', async () => {
    assert.equal((await server.call('get_agent_rollout', { params: { id } })).state, 'completed')
    return true
  })
}

/** A path to the server on which something else may answer for archives: `answer` is for the nth request. */
async function archivesBy(answer: (response: ServerResponse, nth: number) => boolean) {
  const asked = { times: 0 }
  const path = createServer((incoming, response) => {
    if (incoming.url?.startsWith('/agent/v1/bundles/') && answer(response, ++asked.times)) return
    const { method, url, headers } = incoming
    const onward = request(server.url, { method, path: url, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 0, answered.headers)
      answered.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => void path.listen(0, '127.0.0.1', resolve))
  atEnd(() => path.close())
  return { url: `http://127.0.0.1:${(path.address() as AddressInfo).port}`, asked }
}

function refuse(response: ServerResponse, status: number): true {
  response.writeHead(status).end()
  return true
}

test('a host that could not download the version of the other hosts tries it again at the next run', async () => {
  const { id, version } = await rollOut()
  await completed(id)
  const host = await makeHost()
  const { url } = await archivesBy((response, nth) => nth <= attemptsMax && refuse(response, 503))
  await writeEnrolment(host.directory, { ...host.enrolment, server: url, host: 'host_unknown0' })
  await assert.rejects(host.update(), /could not be downloaded/)
  await host.update()
  assert.equal(host.version(), version)
})

test('a host whose agent the server does not accept gets the version of the other hosts', async () => {
  const { id, version } = await rollOut()
  await completed(id)
  const host = await makeHost()
  await writeEnrolment(host.directory, { ...host.enrolment, host: 'host_unknown0' })
  await host.update()
  assert.equal(host.version(), version)
})

test('a host that could not run the version of the other hosts is still updated later', async () => {
  const { id } = await rollOut()
  await completed(id)
  const host = await makeHost()
  await writeEnrolment(host.directory, { ...host.enrolment, host: 'host_unknown0' })
  await assert.rejects(host.update(() => Promise.reject(new Error('It does not start.'))))
  assert.equal(host.version(), '1.0.0')
  await writeEnrolment(host.directory, host.enrolment)
  await host.update()
  assert.equal((await server.call('get_host', { params: { id: host.id } })).agent_managed_by, 'updater')
})

test('a download that fails in passing is tried again, and its rollout goes on', async () => {
  const host = await makeHost()
  const { url, asked } = await archivesBy((response, nth) => {
    if (nth === 1) return refuse(response, 503)
    if (nth === 2) response.destroy()
    if (nth === 3) response.writeHead(200, { 'content-length': 1_000 }).write('cut off', () => response.destroy())
    if (nth === 4) response.writeHead(200, { 'transfer-encoding': 'chunked' }).end('short')
    return nth <= 4
  })
  await writeEnrolment(host.directory, { ...host.enrolment, server: url })
  await host.update()
  const { id, version } = await rollOut()
  await eventually('the host has the version', async () => {
    await host.update()
    assert.equal(host.version(), version)
    return true
  })
  const { state, halt_message } = await server.call('get_agent_rollout', { params: { id } })
  assert.deepEqual([asked.times, state, halt_message], [5, 'running', null])
})

test('a download is given up after so many attempts, and at once where the server refuses it', async () => {
  for (const [status, times, reason] of [
    [503, attemptsMax, `could not be downloaded in ${attemptsMax} attempts. The server answered 503.`],
    [404, 1, 'The server answered 404.'],
  ] as const) {
    const host = await makeHost()
    const { url, asked } = await archivesBy((response) => refuse(response, status))
    await writeEnrolment(host.directory, { ...host.enrolment, server: url })
    await host.update()
    const { id } = await rollOut()
    const { halt_message } = await updatedUntil(host, id, 'halted')
    assert.ok(halt_message?.includes(reason), `${halt_message}`)
    assert.deepEqual([asked.times, host.version()], [times, '1.0.0'])
    await server.call('cancel_agent_rollout', { params: { id } })
  }
})

test('why an agent does not start is reported whatever has been printed', async () => {
  const host = await makeHost()
  await host.update()
  const { id } = await rollOut()
  const restart = () => Promise.reject(new Error('Unité en échec.\n\u001b[31mSee the journal.\n'))
  const { halt_reason, halt_message } = await updatedUntil(host, id, 'halted', restart)
  assert.equal(halt_reason, 'update_failed')
  assert.match(halt_message ?? '', /did not start: Unit +en +chec\. \[31mSee the journal\./)
  assert.equal(host.version(), '1.0.0')
})

test('a version for other processors is refused', async () => {
  const host = await makeHost()
  await host.update()
  const architecture = arch() === 'x64' ? 'arm64' : 'x64'
  const { id } = await rollOut({ architecture })
  const { halt_message } = await updatedUntil(host, id, 'halted')
  assert.match(halt_message ?? '', new RegExp(`The version is for ${architecture}, and this host is ${arch()}\\.`))
  assert.deepEqual([host.version(), host.folders()], ['1.0.0', ['1.0.0']])
})

test('nothing stays of an archive that cannot be unpacked', async () => {
  const host = await makeHost()
  await host.update()
  // The same name as a file, and then as a folder with a file.
  const first = join(mkdtempSync(join(place, 'archive-')), 'a.tar')
  const folders = mkdtempSync(join(place, 'archive-'))
  mkdirSync(join(folders, 'name'))
  writeFileSync(join(folders, 'name/file'), '')
  const named = mkdtempSync(join(place, 'archive-'))
  writeFileSync(join(named, 'name'), '')
  execFileSync('tar', ['--format=ustar', '-cf', first, '-C', named, 'name', '-C', folders, 'name/file'])
  const { id } = await rollOut({ archive: execFileSync('gzip', ['-c', first]) })
  assert.match((await updatedUntil(host, id, 'halted')).halt_message ?? '', /The archive cannot be unpacked: tar:/)
  assert.deepEqual(host.folders(), ['1.0.0'])
})

test('an updater that is killed while it takes a version back ends that at its next start', async () => {
  const host = await makeHost()
  await host.update()
  const { id } = await rollOut()
  // The agent of the new version fails, and the restart of the former one does not come to an end.
  const mark = join(host.directory, 'failed-once')
  const restart = `test -e ${mark} && exec sleep 600; touch ${mark}; exit 1`
  const main = join(import.meta.dirname, '../../../agent/src/main.ts')
  const flags = ['--root', host.root, '--directory', host.directory, '--restart-command', restart]
  const journal = join(host.root, 'update.json')
  const updater = await eventually('an updater takes the version back', async () => {
    const env = { PATH: process.env.PATH }
    const child = spawn(process.execPath, [main, 'agent', 'update', ...flags], { env, stdio: 'ignore', detached: true })
    const ended = new Promise((resolve) => child.once('close', () => resolve(undefined)))
    const isUndoing = eventually('it is taken back', () => {
      return existsSync(journal) && JSON.parse(readFileSync(journal, 'utf8')).phase === 'undoing'
    }).then(() => child)
    // Until the rollout has given the host its turn there is nothing to do.
    const found = await Promise.race([ended, isUndoing])
    assert.ok(found)
    return child
  })
  process.kill(-(updater.pid as number), 'SIGKILL')
  const { halt_message } = await updatedUntil(host, id, 'halted')
  assert.match(halt_message ?? '', /The agent did not start/)
  assert.deepEqual([host.version(), host.folders(), existsSync(journal)], ['1.0.0', ['1.0.0'], false])
})

test('a server that names a path as the version does not get a host to run it', async () => {
  const host = await makeHost()
  const wanted = { key: 'arol_a/1', version: '../../evil', bundle: null }
  const evil = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ wanted, pinned: false }))
  })
  await new Promise<void>((resolve) => void evil.listen(0, '127.0.0.1', resolve))
  atEnd(() => evil.close())
  mkdirSync(join(host.root, '../evil'))
  writeFileSync(join(host.root, '../evil/manifest.json'), '{}')
  const url = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`
  await writeEnrolment(host.directory, { ...host.enrolment, server: url })
  await host.update(() => assert.fail('It restarts the agent.'))
  assert.equal(readlinkSync(join(host.root, 'current')), 'versions/1.0.0')
  assert.match(readFileSync(join(host.root, 'state.json'), 'utf8'), /is no version/)
})
