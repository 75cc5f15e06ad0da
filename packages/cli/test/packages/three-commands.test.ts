/**
 * The three commands of docs/guides/production.md, typed on two machines whose root has nothing but Node, or the files
 * of the image: a service of two replicas with TLS and a synchronous standby, and a first person who is signed in.
 */
import assert from 'node:assert/strict'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createAccount, getAdministeredAccount } from '@bourse/api/iam/accounts.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { packOperators } from '../../../../scripts/pack/packages.ts'
import { runProgram } from '../../../../scripts/pack/program.ts'
import { ownArchitecture, placeNode } from '../../../../scripts/ship/architectures.ts'
import { packImage } from '../../../../scripts/ship/image.ts'
import { imageUser } from '../../../../scripts/ship/image-config.ts'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import type { DatabaseTarget } from '../../../server/src/core/db/database-target.ts'
import { safeSettings } from '../../../server/test/chaos/setting.ts'
import { makeTemplate, startPair } from '../../../server/test/restart/failover/database-pair.ts'
import { authority, certificate, key } from '../../../server/test/support/certificates.ts'
import { ownPage } from '../../../server/test/support/fixtures/people.ts'
import { shownBlocks } from '../shown-blocks.ts'
import { containerWords, type Mount } from './container.ts'
import { openToAll, withoutRoots } from './debian-root.ts'
import {
  type Machine,
  makeNetwork,
  type NetworkRequest,
  type TestNetwork,
  type TypedCommand,
  typeOn,
} from './machines.ts'

const reason = withoutRoots('mmdebstrap', 'unshare', 'chroot', 'ip')
const [name, port] = ['market.example', 8443] as const
const email = 'root@market.example'

describe('three commands', leftOut(reason), () => {
  let place = ''
  const commands = shownBlocks('docs/guides/production.md', '## In three commands')
    .flat()
    .join('\n')
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'bourse-three-'))
    await chmod(place, 0o755)
  })
  afterAll(() => rm(place, { recursive: true, force: true }))

  test('the page shows three commands', () => assert.equal(commands.length, 3))

  test('they work on machines with nothing but Node', async () => {
    const system = join(place, 'node')
    const program = await installWithNpm(system, place)
    await follow({ system, program, commands, place: join(place, 'with-node') })
  })

  test('they work on machines with nothing but the files of the image', async () => {
    const system = join(place, 'image')
    await unpackImage(system, place)
    await follow({ system, program: ['/usr/bin/bourse'], commands, place: join(place, 'with-image') })
  })
})

type Installed = {
  /** The root of each machine. */
  readonly system: string
  /** How `bourse` is started there. */
  readonly program: readonly string[]
  readonly commands: readonly string[]
  /** A new directory for what the machines write. */
  readonly place: string
}

/** Types the commands, and looks at what they have made. */
async function follow({ system, program, commands, place }: Installed): Promise<void> {
  const [install = '', person = '', serve = ''] = commands
  await using stack = new AsyncDisposableStack()
  const template = stack.use(await makeTemplate('bourse', makeOwner, safeSettings))
  const pair = stack.use(await startPair(template, { synchronous: true, more: safeSettings }))
  const sockets = [pair.target.host, ...(pair.target.others ?? []).map(({ host }) => host)]
  for (const host of sockets) await openToAll(host)
  const network = stack.use(await makeNetwork(2))
  const [first, second] = network.machines as [Machine, Machine]
  const images = join(place, 'images')
  await mkdir(images, { recursive: true })
  await chown(images, imageUser, imageUser)
  const etc = [join(place, 'etc-0'), join(place, 'etc-1')] as const
  await placeCertificate(etc[0])

  const words = (folder: string) => {
    const mounts: Mount[] = [
      { source: folder, target: '/etc/bourse' },
      { source: images, target: '/var/lib/bourse/images' },
      { source: sockets[0] as string, target: '/run/db1' },
      { source: sockets[1] as string, target: '/run/db2' },
    ]
    const variables = ['BOURSE_DATA_DIR=/var/lib/bourse', 'BOURSE_WORKERS=2', 'BOURSE_DRAIN_SECONDS=0']
    return ['unshare', ...containerWords({ system, user: imageUser, mounts, variables }, program)]
  }
  const run = async (machine: Machine, command: string, folder: string) => {
    const typed = typeOn(machine, command, words(folder))
    assert.equal(await typed.ended, 0, `${command}\n${typed.err()}`)
    return typed
  }
  // The page has two machines with PostgreSQL; here they are two sockets.
  const shown = 'db1.example,db2.example'
  assert.ok(install.includes(shown), install)
  const installed = await run(first, install.replace(shown, '%2Frun%2Fdb1,%2Frun%2Fdb2'), etc[0])
  assert.match(installed.err(), /Commits wait for a standby \(synchronous_standby_names: second\)/)
  const link = /https:\/\/\S+/.exec((await run(first, person, etc[0])).out())?.[0] ?? ''
  assert.ok(link.startsWith(`https://${name}:${port}/sign-in/`), link)
  await runProgram('cp', ['-a', etc[0], etc[1]])

  const servers = [typeOn(first, serve, words(etc[0])), typeOn(second, serve, words(etc[1]))]
  stack.defer(async () => {
    for (const { process: child } of servers) if (child.exitCode === null) child.kill('SIGKILL')
    await Promise.all(servers.map(({ ended }) => ended))
  })
  await untilReady(network, servers)
  await assert.rejects(
    send(network, first, { path: '/readyz', ca: '' }),
    /self-signed certificate|unable to (get|verify)/,
  )
  await requireStandby(pair.target)
  await signInAndWrite(network, new URL(link).pathname)
  for (const { process: child, ended, err } of servers) {
    child.kill('SIGTERM')
    assert.equal(await ended, 0, err())
  }
}

/** The database has an owner who is no superuser, as the page says. */
async function makeOwner(target: DatabaseTarget): Promise<void> {
  const { host, port: at, user, database } = target
  const client = new pg.Client({ host, port: at, user, database })
  await client.connect()
  await client.query('create role owner login createrole')
  await client.query('alter database bourse owner to owner')
  await client.end()
}

function send(network: TestNetwork, { address }: Machine, request: Omit<NetworkRequest, 'address' | 'name' | 'port'>) {
  return network.send({ address, name, port, ca: authority, ...request })
}

async function untilReady(network: TestNetwork, servers: readonly TypedCommand[]): Promise<void> {
  for (const [index, machine] of network.machines.entries()) {
    await eventually(
      `the replica at ${machine.address} is ready`,
      async () => {
        const { process: child, err } = servers[index] as TypedCommand
        if (child.exitCode !== null) throw new Error(err())
        const response = await send(network, machine, { path: '/readyz' }).catch((error) => error as Error)
        return response instanceof Error ? false : response.status === 200
      },
      { usual_seconds: 10 },
    )
  }
}

/** Fails unless commits wait for a standby that follows. */
async function requireStandby({ host, port: at, user, database }: DatabaseTarget): Promise<void> {
  const client = new pg.Client({ host, port: at, user, database })
  await client.connect()
  try {
    const { rows } = await client.query('select application_name, state, sync_state from pg_stat_replication')
    assert.deepEqual(rows, [{ application_name: 'second', state: 'streaming', sync_state: 'sync' }])
  } finally {
    await client.end()
  }
}

/** The first person opens the link at one replica, creates an account there, and reads it at the other one. */
async function signInAndWrite(network: TestNetwork, path: string): Promise<void> {
  const [first, second] = network.machines as [Machine, Machine]
  const page = await send(network, first, { path })
  assert.equal(page.status, 200, page.body)
  assert.match(page.body, new RegExp(email))
  const form = { ...ownPage, 'content-type': 'application/x-www-form-urlencoded' }
  const signed = await send(network, first, { path, method: 'POST', headers: form, body: 'answer=sign_in' })
  assert.equal(signed.status, 303, signed.body)
  const [cookie = ''] = signed.headers['set-cookie'] ?? []
  assert.match(cookie, /; Secure/)
  const headers = {
    ...ownPage,
    cookie: cookie.split(';', 1)[0] ?? '',
    'x-bourse-request': '1',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ id: 'acme', name: 'Acme', entity_type: 'business' })
  const created = await send(network, first, { path: createAccount.path, method: 'POST', headers, body })
  assert.equal(created.status, 201, created.body)
  const read = await send(network, second, { path: getAdministeredAccount.path.replace(':account', 'acme'), headers })
  assert.equal(read.status, 200, read.body)
  assert.equal(JSON.parse(read.body).name, 'Acme')
}

/** What the operator brings: a certificate of the name, with its key. */
async function placeCertificate(folder: string): Promise<void> {
  const tls = join(folder, 'tls')
  await mkdir(tls, { recursive: true })
  await writeFile(join(tls, 'fullchain.pem'), certificate)
  await writeFile(join(tls, 'privkey.pem'), key, { mode: 0o600 })
  for (const path of [folder, tls, join(tls, 'fullchain.pem'), join(tls, 'privkey.pem')]) {
    await chown(path, imageUser, imageUser)
  }
}

/** Makes a root with Node and the libraries that it needs, and installs the package. Returns how it is started. */
async function installWithNpm(system: string, place: string): Promise<readonly string[]> {
  const node = join(system, 'usr/local/bin/node')
  await placeNode(ownArchitecture, node)
  const libraries = (await runProgram('ldd', [node])).matchAll(/(?:=> |^\s*)(\/\S+) \(/gm)
  for (const [, library = ''] of libraries) {
    const target = join(system, library)
    await mkdir(dirname(target), { recursive: true })
    await cp(library, target, { dereference: true })
  }
  const tarball = await packOperators(place)
  const words = [
    'install',
    '--global',
    '--prefix',
    join(system, 'usr/local'),
    '--omit=optional',
    '--offline',
    '--no-audit',
  ]
  await runProgram('npm', [...words, '--silent', tarball], { cwd: place })
  const installed = '/usr/local/lib/node_modules/bourse'
  assert.ok((await readdir(join(system, installed))).includes('package.json'))
  return ['/usr/local/bin/node', `${installed}/packages/cli/bin/bourse.mjs`]
}

async function unpackImage(system: string, place: string): Promise<void> {
  const layout = join(place, 'layout')
  await mkdir(layout)
  await mkdir(system)
  await runProgram('tar', ['-xf', await packImage(place, [ownArchitecture]), '-C', layout])
  const blob = (digest: string) => join(layout, 'blobs/sha256', digest.replace('sha256:', ''))
  const read = async (path: string) => JSON.parse(await runProgram('cat', [path]))
  const index = await read(join(layout, 'index.json'))
  const { manifests } = await read(blob(index.manifests[0].digest))
  const { layers } = await read(blob(manifests[0].digest))
  for (const { digest } of layers) await runProgram('tar', ['-xzf', blob(digest), '-C', system, '--numeric-owner'])
}
