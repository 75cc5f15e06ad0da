/** Packs a version of the agent as it is rolled out to hosts: the archive, and the manifest that is signed. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentProtocol, type BundleManifest, bundleBytesMax } from '../../packages/api/src/fleet/agent-bundles.ts'
import { packAgent } from '../../packages/server/src/fleet/agents/agent-bundle.service.ts'
import { readCommit, readVersion } from './commit.ts'
import { digestOf } from './sums.ts'

/** Whether a file that was packed is the manifest of an agent. */
export function isManifest(name: string): boolean {
  return /^agent-.+\.json$/.test(name)
}

/** Packs the agent into a directory. Returns the paths of archive and manifest. */
export async function packAgentBundle(directory: string): Promise<readonly string[]> {
  const version = await readVersion()
  const archive = join(directory, `agent-${version}.tgz`)
  const bytes = await packAgent()
  if (bytes.length > bundleBytesMax) throw new Error(`The agent has ${bytes.length} bytes, ${bundleBytesMax} at most.`)
  await writeFile(archive, bytes)
  const manifest: BundleManifest = {
    object: 'agent_bundle_manifest',
    version,
    commit: (await readCommit()) ?? null,
    architecture: 'any',
    protocol: agentProtocol,
    oldest_server_protocol: 1,
    sha256: await digestOf(archive),
    size_bytes: bytes.length,
  }
  const path = join(directory, `agent-${version}.json`)
  await writeFile(path, JSON.stringify(manifest))
  return [archive, path]
}
