/** The OCI image: its layout, and a container of it as a runtime runs it: another user, and a root to read only. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { freePort } from '../../../../scripts/bench/prism.ts'
import { runProgram } from '../../../../scripts/pack/program.ts'
import { digestOf } from '../../../../scripts/pack/sums.ts'
import { ownArchitecture } from '../../../../scripts/ship/architectures.ts'
import { packImage } from '../../../../scripts/ship/image.ts'
import { imageUser } from '../../../../scripts/ship/image-config.ts'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { ensureKeyFiles } from '../../../server/src/core/keys/key-files.ts'
import { startDurableCluster } from '../../../server/test/support/cluster.ts'
import { createEmptyDatabase } from '../../../server/test/support/database.ts'
import { containerWords } from './container.ts'
import { openToAll, withoutRoots } from './debian-root.ts'

type Descriptor = { readonly digest: string; readonly size: number; readonly platform?: { architecture: string } }

const reason = withoutRoots('mmdebstrap', 'unshare', 'chroot')
/** Of the compressed image. */
const bytesMax = 120_000_000

describe('the OCI image', leftOut(reason), () => {
  let place = ''
  let image = ''
  let system = ''
  let container: ChildProcess | undefined
  const blob = (digest: string) => join(place, 'layout/blobs/sha256', digest.replace('sha256:', ''))
  const read = async (digest: string) => JSON.parse(await readFile(blob(digest), 'utf8'))

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'bourse-image-test-'))
    await chmod(place, 0o755)
    const begin = performance.now()
    image = await packImage(place, [ownArchitecture])
    console.log(`packed in ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    await mkdir(join(place, 'layout'))
    await runProgram('tar', ['-xf', image, '-C', join(place, 'layout')])
    system = join(place, 'system')
    await mkdir(system)
  })
  afterAll(async () => {
    if (container && container.exitCode === null) {
      container.kill('SIGKILL')
      await once(container, 'exit')
    }
    await rm(place, { recursive: true, force: true })
  })

  async function readImage() {
    const index = JSON.parse(await readFile(join(place, 'layout/index.json'), 'utf8'))
    const { manifests } = await read(index.manifests[0].digest)
    const [{ digest, platform }] = manifests as [Required<Descriptor>]
    const manifest = (await read(digest)) as { config: Descriptor; layers: Descriptor[] }
    return { platform, manifest, config: await read(manifest.config.digest) }
  }

  test('blobs have the digests of their names, layers those of the configuration, in 120 MB', async () => {
    const names = await readdir(join(place, 'layout/blobs/sha256'))
    assert.equal(names.length, 5)
    for (const name of names) assert.equal(await digestOf(join(place, 'layout/blobs/sha256', name)), name)
    const { platform, manifest, config } = await readImage()
    assert.equal(platform.architecture, ownArchitecture)
    for (const [index, { digest, size }] of manifest.layers.entries()) {
      assert.equal((await stat(blob(digest))).size, size)
      const hash = createHash('sha256')
      await pipeline(createReadStream(blob(digest)), createGunzip(), hash)
      assert.equal(`sha256:${hash.digest('hex')}`, config.rootfs.diff_ids[index])
      await runProgram('tar', ['-xzf', blob(digest), '-C', system, '--numeric-owner'])
    }
    const { size } = await stat(image)
    console.log(`${(size / 1e6).toFixed(1)} MB`)
    assert.ok(size < bytesMax, `${size} bytes`)
  })

  test('it holds no shell, no setuid program, and names its packages for scanners', async () => {
    assert.deepEqual(await readdir(join(system, 'usr/bin')), ['bourse'])
    assert.equal(await runProgram('find', [system, '-perm', '/6000']), '')
    const packages = await readdir(join(system, 'var/lib/dpkg/status.d'))
    for (const name of ['libc6', 'libstdc++6', 'libgcc-s1']) {
      assert.match(await readFile(join(system, 'var/lib/dpkg/status.d', name), 'utf8'), /^Version: \d/m, name)
    }
    assert.ok(packages.length >= 4, packages.join(' '))
  })

  test('a container serves with a root to read only and as its own user, and its health check passes', async () => {
    await using cluster = await startDurableCluster()
    await using database = await createEmptyDatabase({ cluster: cluster.target })
    const { user, database: name, host } = database.target
    await openToAll(host)
    const { config } = await readImage()
    const { User, Env, Entrypoint, Cmd, Healthcheck } = config.config
    assert.equal(User, `${imageUser}:${imageUser}`)
    const port = await freePort()
    const keys = await ensureKeyFiles(join(place, 'keys'), 'operator')
    const folder = dirname(keys.signing)
    for (const path of [folder, ...Object.values(keys)]) await chown(path, imageUser, imageUser)
    const inKeys = (path: string) => join('/run/keys', basename(path))
    const variables = [
      ...Env,
      `BOURSE_DATABASE_URL=postgres://${user}@/${name}?host=/run/postgresql`,
      'BOURSE_PUBLIC_URL=https://market.example',
      `BOURSE_SIGNING_KEYS_FILE=${inKeys(keys.signing)}`,
      `BOURSE_MASTER_KEY_FILE=${inKeys(keys.master)}`,
      `BOURSE_CURSOR_KEYS_FILE=${inKeys(keys.cursor)}`,
      `BOURSE_PORT=${port}`,
      'BOURSE_METRICS_PORT=0',
      'BOURSE_DRAIN_SECONDS=0',
    ]
    const mounts = [
      { source: folder, target: '/run/keys' },
      { source: host, target: '/run/postgresql' },
    ]
    const words = (program: readonly string[]) =>
      containerWords({ system, user: imageUser, mounts, variables }, program)
    const child = spawn('unshare', words([...Entrypoint, ...Cmd]), { stdio: ['ignore', 'ignore', 'pipe'] })
    container = child
    let said = ''
    child.stderr.on('data', (part) => (said += part))
    const url = `http://127.0.0.1:${port}`
    await eventually('the container is ready', async () => {
      if (child.exitCode !== null) throw new Error(said)
      const response = await fetch(`${url}/readyz`).catch(() => undefined)
      return response?.status === 200
    })
    // Each program before it has run the next one in its place.
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    assert.match(status, new RegExp(`^Uid:\\t${imageUser}\\t`, 'm'))
    const [, ...probe] = Healthcheck.Test as string[]
    await runProgram('unshare', words(probe))
    const write = ['/usr/lib/bourse/bin/node', '-e', "require('fs').writeFileSync('/usr/lib/bourse/file', '')"]
    await assert.rejects(runProgram('unshare', words(write)), /EROFS/)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0, said)
  })
})
