/** Gets a version of the agent: verifies who has signed it, downloads and unpacks it. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { arch } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  agentProtocol,
  type BundleManifest,
  type BundleOffer,
  unpackedBytesMax,
} from '@bourse/api/fleet/agent-bundles.ts'
import { agentSignatureNamespace, readSigners, verifySshSignature } from '@bourse/api/fleet/agent-signatures.ts'
import { readIfThere, removeAll, syncPath } from '../files.ts'
import { programPath } from '../program-path.ts'
import { archiveProblem } from './archive.rules.ts'
import { downloadArchive } from './download.ts'
import { folderOf } from './places.ts'
import { bundleProblem } from './problem.ts'

/** Where a version comes from, and where it goes. */
type InstallOptions = {
  /** The folder of all versions. */
  readonly root: string
  readonly server: string
  /** The file of the keys that may sign versions. */
  readonly signers_file: string
  /** The pause after the first attempt to download it that failed; each further one is twice as long. */
  readonly pause_milliseconds: number
  readonly signal: AbortSignal
  readonly log: (message: string, fields: object) => void
}

const unzip = promisify(gunzip)
const run = promisify(execFile)
const unpackMilliseconds = 120_000

/** The name of the manifest in the folder of a version. */
const manifestName = 'manifest.json'

/** Whether a version is installed completely. */
export function isInstalled(root: string, version: string): Promise<boolean> {
  return stat(join(folderOf(root, version), manifestName)).then(
    () => true,
    () => false,
  )
}

/**
 * Installs a version beside the others. Throws a `BundleProblem` if it is not trusted or cannot be unpacked, and a
 * `ServerRefusal` if it cannot be downloaded.
 */
export async function installBundle(version: string, offer: BundleOffer, options: InstallOptions): Promise<void> {
  const { root } = options
  const manifest = await verifyOffer(version, offer, options.signers_file)
  const archive = await downloadArchive(manifest, options)
  const tar = await unzip(archive, { maxOutputLength: unpackedBytesMax }).catch((error: Error) => {
    throw bundleProblem(`The archive cannot be unpacked: ${error.message}.`)
  })
  const problem = archiveProblem(tar)
  if (problem !== undefined) throw bundleProblem(problem)
  const partial = folderOf(root, `.${version}.partial`)
  await removeAll(partial)
  await mkdir(partial, { recursive: true, mode: 0o755 })
  try {
    await unpack(tar, partial)
    await writeFile(join(partial, manifestName), offer.manifest)
    await syncTree(partial)
  } catch (error) {
    await removeAll(partial)
    throw error
  }
  await removeAll(folderOf(root, version))
  await rename(partial, folderOf(root, version))
  await syncPath(join(root, 'versions'))
}

/** The manifest of an offer that one of the trusted keys has signed, for this host and this version. */
async function verifyOffer(version: string, offer: BundleOffer, file: string): Promise<BundleManifest> {
  const text = await readIfThere(file)
  const signers = text === undefined ? [] : readSigners(text)
  if (signers.length === 0) throw bundleProblem(`${file} names no key whose signature this host accepts.`)
  const verified = await verifySshSignature(offer.manifest, offer.signature, agentSignatureNamespace)
  if ('problem' in verified) throw bundleProblem(verified.problem)
  if (!signers.includes(verified.signer)) {
    throw bundleProblem(`${verified.signer} has signed the version, which is not in ${file}.`)
  }
  const manifest = JSON.parse(offer.manifest) as BundleManifest
  if (manifest.version !== version) throw bundleProblem(`The manifest is that of version ${manifest.version}.`)
  if (manifest.architecture !== 'any' && manifest.architecture !== arch()) {
    throw bundleProblem(`The version is for ${manifest.architecture}, and this host is ${arch()}.`)
  }
  if (!Number.isInteger(manifest.protocol) || agentProtocol < manifest.oldest_server_protocol) {
    throw bundleProblem(`The version needs a server of protocol ${manifest.oldest_server_protocol}.`)
  }
  return manifest
}

/** The program `tar` is part of every distribution, and was needed to install the first version too. */
async function unpack(tar: Buffer, directory: string): Promise<void> {
  const words = ['-x', '-f', '-', '-C', directory, '--no-same-owner', '--no-same-permissions']
  const running = run('tar', words, { env: { PATH: programPath }, timeout: unpackMilliseconds, killSignal: 'SIGKILL' })
  running.child.stdin?.on('error', () => {}).end(tar)
  await running.catch((error: Error & { stderr?: string }) => {
    throw bundleProblem(`The archive cannot be unpacked: ${error.stderr?.trim() || error.message}`)
  })
}

/** Makes all files of a folder last beyond a power failure: the former version may be gone before they are written. */
async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await syncPath(join(entry.parentPath, entry.name))
  }
  await syncPath(directory)
}
