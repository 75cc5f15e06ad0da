/** Packs a version of the agent as it is rolled out to hosts: the archive, and the manifest that is signed. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentProtocol, type BundleManifest, bundleBytesMax } from '../../packages/api/src/fleet/agent-bundles.ts'
import { agentSignatureNamespace } from '../../packages/api/src/fleet/agent-signatures.ts'
import { packAgent } from '../../packages/server/src/fleet/agents/agent-bundle.service.ts'
import { readCommit, readVersion } from './commit.ts'
import { digestOf, signFile } from './sums.ts'

/** Whether a file that was packed is the manifest of an agent. */
export function isManifest(name: string): boolean {
  return /^agent-.+\.json$/.test(name)
}

/** Packs the agent into a directory. Returns the paths of archive and manifest. */
export async function packAgentBundle(directory: string): Promise<readonly string[]> {
  return writeBundle(directory, `agent-${await readVersion()}`)
}

/**
 * Writes the agent that a server serves to hosts into its program, and with a key the manifest with its signature: the
 * operator of the server can then roll it out, and has no key himself.
 */
export async function placeAgent(program: string, key: string | undefined): Promise<void> {
  if (key === undefined) return writeFile(join(program, 'agent.tgz'), await packAgent())
  const [, manifest] = await writeBundle(program, 'agent')
  await signFile(manifest, key, agentSignatureNamespace)
}

async function writeBundle(directory: string, name: string): Promise<readonly [archive: string, manifest: string]> {
  const archive = join(directory, `${name}.tgz`)
  const bytes = await packAgent()
  if (bytes.length > bundleBytesMax) throw new Error(`The agent has ${bytes.length} bytes, ${bundleBytesMax} at most.`)
  await writeFile(archive, bytes)
  const manifest: BundleManifest = {
    object: 'agent_bundle_manifest',
    version: await readVersion(),
    commit: (await readCommit()) ?? null,
    architecture: 'any',
    protocol: agentProtocol,
    oldest_server_protocol: 1,
    sha256: await digestOf(archive),
    size_bytes: bytes.length,
  }
  const path = join(directory, `${name}.json`)
  await writeFile(path, JSON.stringify(manifest))
  return [archive, path]
}
