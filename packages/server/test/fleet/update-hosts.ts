/** Hosts with agents and updaters as processes, and versions of the agent that they can run. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Id } from '@bourse/api/kit/ids.ts'
import { atEnd } from '../../../../test/at-end.ts'
import { packAgent } from '../../src/fleet/agents/agent-bundle.service.ts'
import { signedBundle, signerLine } from '../support/bundles.ts'
import type { TestServer } from '../support/server.ts'

const place = mkdtempSync(join(tmpdir(), 'bourse-updates-'))
const pids = new Set<string>()
atEnd(() => {
  for (const file of pids) endAgent(file)
  rmSync(place, { recursive: true, force: true })
})

/** The archive of the agent of this checkout, and one whose agent throws when it starts. */
export async function makeArchives(): Promise<{ good: Buffer; broken: Buffer }> {
  const good = await packAgent()
  const folder = join(place, 'broken')
  unpackTo(folder, good)
  const file = join(folder, 'packages/agent/src/agent.ts')
  writeFileSync(file, `throw new Error('This build is broken.')\n${readFileSync(file, 'utf8')}`)
  const words = ['--format=ustar', '-cz', '-C', folder, 'node_modules', 'ops', 'packages']
  return { good, broken: execFileSync('tar', words, { maxBuffer: 2 ** 26 }) }
}

/** Adds a version to a server. */
export async function addVersion(
  server: TestServer,
  version: string,
  archive: Buffer,
  key?: KeyObject,
): Promise<string> {
  await server.call('create_agent_bundle', { body: signedBundle({ version, archive, ...(key ? { key } : {}) }) })
  return version
}

/** A host with an agent that runs and an updater that runs when asked to. */
export type UpdatedHost = {
  readonly id: Id<'host'>
  /** The version to which the link `current` leads. */
  readonly version: () => string
  /** Runs the updater as the timer does. Returns what it printed. */
  readonly tick: () => Promise<string>
  /** Starts an updater whose restart of the agent does not come to an end. */
  readonly tickWithoutEnd: () => ChildProcess
  readonly hasJournal: () => boolean
}

let hosts = 0

/** Enrols a host whose first version is unpacked as the guide says, and starts its agent. */
export async function startHost(server: TestServer, permit: string, archive: Buffer): Promise<UpdatedHost> {
  const own = join(place, `host-${++hosts}`)
  const [root, directory] = [join(own, 'opt'), join(own, 'var')]
  const first = join(root, 'versions/1.0.0')
  unpackTo(first, archive)
  writeFileSync(join(first, 'manifest.json'), signedBundle({ version: '1.0.0', archive }).manifest)
  for (const link of ['current', 'updater']) symlinkSync('versions/1.0.0', join(root, link))
  const bin = (link: string) => join(root, link, 'packages/agent/bin/bourse')
  const at = ['--driver', 'simulated', '--directory', directory]
  const enrolment = ['agent', 'enrol', ...at, '--host-address', `192.0.2.${hosts}`, '--server', server.url]
  const { out } = await runBourse(bin('current'), enrolment, { BOURSE_ENROL_TOKEN: permit })
  writeFileSync(join(directory, 'agent-signers'), `${signerLine()}\n`)
  const service = [process.execPath, join(import.meta.dirname, 'agent-service.mjs'), bin('current'), directory].join(
    ' ',
  )
  const pidFile = join(directory, 'agent.pid')
  pids.add(pidFile)
  const words = (restart: string) => {
    const flags = ['--wait-seconds', '60', '--restart-command', restart]
    return ['agent', 'update', '--root', root, '--directory', directory, ...flags]
  }
  // The server is in this process, so nothing waits for the agent without letting it answer.
  await once(spawn('/bin/sh', ['-c', service], { env: environment, stdio: 'ignore' }), 'close')
  return {
    id: out.trim() as Id<'host'>,
    version: () => readlinkSync(join(root, 'current')).replace('versions/', ''),
    tick: async () => (await runBourse(bin('updater'), words(service))).err,
    tickWithoutEnd: () =>
      spawn(bin('updater'), words('sleep 600'), { env: environment, stdio: 'ignore', detached: true }),
    hasJournal: () => existsSync(join(root, 'update.json')),
  }
}

const environment = { PATH: process.env.PATH, BOURSE_NODE: process.execPath }

async function runBourse(program: string, words: readonly string[], more: object = {}) {
  const child = spawn(program, words, { env: { ...environment, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = [text(child.stdout), text(child.stderr)] as const
  const [code] = await once(child, 'close')
  const [out, err] = await Promise.all(printed)
  assert.equal(code, 0, `${words.join(' ')}: ${err}`)
  return { out, err }
}

function unpackTo(folder: string, archive: Buffer): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xz', '-C', folder], { input: archive })
}

function endAgent(file: string): void {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
  } catch (error) {
    assert.match((error as NodeJS.ErrnoException).code ?? '', /^(ESRCH|ENOENT)$/)
  }
}
