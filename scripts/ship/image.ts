/**
 * Builds the OCI image without a container runtime: an archive in the OCI image layout, which podman, Docker,
 * containerd and skopeo read. One layer has the libraries of Debian that Node needs, and Node; the other one has the
 * program. There is no shell, no package manager and no other program. Every layer has the time of the commit, so that
 * one commit and the same packages of Debian give the same bytes.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { readCommit, readSourceDate, readVersion } from '../pack/commit.ts'
import { runProgram, settleModes } from '../pack/program.ts'
import { digestOf } from '../pack/sums.ts'
import { type Architecture, placeNode } from './architectures.ts'
import { dataFolder, imageConfig, imageUser } from './image-config.ts'
import { placeProgram } from './program-files.ts'

/** The release of Debian whose libraries the image has. */
const release = 'trixie'
const mirror = 'http://deb.debian.org/debian'
const packages = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6']
/** What of these packages is for people, or for programs that are not there. */
const leftOut = [
  'boot',
  'etc/apt',
  'etc/dpkg',
  'etc/update-motd.d',
  'home',
  'usr/bin',
  'usr/games',
  'usr/include',
  'usr/sbin',
  'usr/share/doc/mawk',
  'var/lib/apt',
  'var/lib/dpkg/status.d/mawk',
]
const leftOutOfShare = ['base-files', 'dict', 'gcc', 'gdb', 'i18n', 'info', 'lintian', 'locale', 'man', 'misc']

const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const

type Descriptor = { readonly mediaType: string; readonly digest: string; readonly size: number }
type Layer = Descriptor & { readonly diff_id: string; readonly title: string }

/** Packs the image for some architectures into a directory; a key signs the agent in it. Returns its path. */
export async function packImage(
  directory: string,
  architectures: readonly Architecture[],
  key?: string,
): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'bourse-image-'))
  try {
    const version = await readVersion()
    const layout = join(place, 'layout')
    await mkdir(join(layout, 'blobs/sha256'), { recursive: true })
    await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
    const program = await programLayer(place, layout, key)
    const manifests = []
    for (const architecture of architectures) {
      const base = await baseLayer(place, layout, architecture)
      const manifest = await addManifest(layout, architecture, [base, program])
      manifests.push({ ...manifest, platform: { architecture, os: 'linux' } })
    }
    const index = await addBlob(layout, mediaTypes.index, { ...indexOf(mediaTypes.index), manifests })
    const named = { ...index, annotations: { 'org.opencontainers.image.ref.name': version } }
    await writeFile(join(layout, 'index.json'), JSON.stringify({ ...indexOf(mediaTypes.index), manifests: [named] }))
    await settleModes(layout)
    const path = join(directory, imageName(version))
    await writeTar(layout, path)
    return path
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** The name of the file of the image. */
export function imageName(version: string): string {
  return `bourse-${version}.oci.tar`
}

/** The digest by which a registry has a packed image: that of its index. */
export async function indexDigest(path: string): Promise<string> {
  const index = JSON.parse(await runProgram('tar', ['--extract', '--to-stdout', '--file', path, './index.json']))
  return (index as { manifests: [Descriptor] }).manifests[0].digest
}

function indexOf(mediaType: string) {
  return { schemaVersion: 2, mediaType }
}

async function programLayer(place: string, layout: string, key: string | undefined): Promise<Layer> {
  const system = join(place, 'program')
  await mkdir(system)
  await placeProgram(system, key)
  await settleModes(system)
  return await addLayer(layout, system, 'Bourse')
}

async function baseLayer(place: string, layout: string, architecture: Architecture): Promise<Layer> {
  const archive = join(place, `${architecture}.tar`)
  const system = join(place, architecture)
  // Packages are unpacked and not set up: none of their programs runs, so any machine makes any architecture.
  const words = ['--quiet', '--variant=extract', `--architectures=${architecture}`, `--include=${packages.join(',')}`]
  const env = { ...process.env, SOURCE_DATE_EPOCH: `${await readSourceDate()}` }
  await runProgram('mmdebstrap', [...words, statusHook, release, archive, mirror], { env })
  await mkdir(system)
  await runProgram('tar', ['-xf', archive, '-C', system, '--exclude=./dev', '--no-same-owner', '--no-same-permissions'])
  await emptyOut(system)
  await placeNode(architecture, join(system, 'usr/lib/bourse/bin/node'))
  await mkdir(join(system, 'usr/bin'))
  const shell = '/usr/sbin/nologin'
  const user = `bourse:x:${imageUser}:${imageUser}::/${dataFolder}:${shell}`
  await writeFile(join(system, 'etc/passwd'), `root:x:0:0::/root:${shell}\n${user}\n`)
  await writeFile(join(system, 'etc/group'), `root:x:0:\nbourse:x:${imageUser}:\n`)
  // Volumes of servers that share images get their owner from here.
  await mkdir(join(system, dataFolder, 'images'), { recursive: true })
  await settleModes(system)
  await chmod(join(system, 'tmp'), 0o1777)
  return await addLayer(layout, system, `Debian ${release}, Node.js`)
}

/** Notes the packages where scanners look for them in images without a package manager. */
const statusHook = `--extract-hook=mkdir -p "$1/var/lib/dpkg/status.d"
for doc in "$1"/usr/share/doc/*; do
  name=$(basename "$doc")
  APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-cache show --no-all-versions "$name" > "$1/var/lib/dpkg/status.d/$name"
done`

async function emptyOut(system: string): Promise<void> {
  const state = (await readdir(join(system, 'var'))).filter((name) => name !== 'lib').map((name) => join('var', name))
  const shared = leftOutOfShare.map((name) => join('usr/share', name))
  for (const path of [...leftOut, ...shared, ...state]) {
    await rm(join(system, path), { recursive: true, force: true })
  }
  await runProgram('find', [join(system, 'usr/share/doc'), '-type', 'f', '!', '-name', 'copyright', '-delete'])
}

async function addLayer(layout: string, system: string, title: string): Promise<Layer> {
  const archive = `${system}.layer`
  await writeTar(system, archive)
  const diff_id = `sha256:${await digestOf(archive)}`
  const packed = `${archive}.gz`
  await pipeline(createReadStream(archive), createGzip({ level: 6 }), createWriteStream(packed))
  const digest = await digestOf(packed)
  const { size } = await stat(packed)
  await rename(packed, join(layout, 'blobs/sha256', digest))
  await rm(archive)
  return { mediaType: mediaTypes.layer, digest: `sha256:${digest}`, size, diff_id, title }
}

async function addManifest(layout: string, architecture: Architecture, layers: readonly Layer[]): Promise<Descriptor> {
  const date = new Date((await readSourceDate()) * 1000).toISOString()
  const parts = { architecture, date, version: await readVersion(), commit: await readCommit() }
  const config = await addBlob(layout, mediaTypes.config, imageConfig(parts, layers))
  const shown = layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size }))
  return await addBlob(layout, mediaTypes.manifest, { ...indexOf(mediaTypes.manifest), config, layers: shown })
}

/** Adds a document to the blobs, which are named by their digest. */
async function addBlob(layout: string, mediaType: string, document: object): Promise<Descriptor> {
  const bytes = Buffer.from(JSON.stringify(document))
  const digest = createHash('sha256').update(bytes).digest('hex')
  await writeFile(join(layout, 'blobs/sha256', digest), bytes)
  return { mediaType, digest: `sha256:${digest}`, size: bytes.length }
}

/** Writes a folder as an archive that says nothing of who packed it, when and in which order. */
async function writeTar(folder: string, archive: string): Promise<void> {
  const same = ['--sort=name', `--mtime=@${await readSourceDate()}`, '--owner=0', '--group=0', '--numeric-owner']
  const words = ['--create', '--file', archive, '--format=gnu', ...same, '--directory', folder]
  await runProgram('tar', [...words, `--exclude=./${dataFolder}`, '.'])
  if (!existsSync(join(folder, dataFolder))) return
  const own = same.map((word) => word.replace(/^(--owner|--group)=0$/, `$1=${imageUser}`))
  await runProgram('tar', ['--append', '--file', archive, '--format=gnu', ...own, '-C', folder, `./${dataFolder}`])
}
