/**
 * Serves the agent of this server version to hosts: an archive of its sources and dependencies. It contains no secret,
 * so the download needs no token. A checkout builds the archive on the first request; the package has it as a file.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programRoot } from '../../core/base/program-root.ts'
import type { TransferRoute } from '../../core/http/transfer.ts'

const parts = [
  'packages/agent/package.json',
  'packages/agent/bin',
  'packages/agent/src',
  'packages/api/package.json',
  'packages/api/src',
  'packages/text/package.json',
  'packages/text/src',
  'ops/systemd/bourse-agent.service',
  'ops/systemd/bourse-agent-updater.service',
  'ops/systemd/bourse-agent-updater.timer',
  'node_modules/@bourse/api',
  'node_modules/@bourse/text',
  'node_modules/commander',
  'node_modules/jose',
]
/** Tests, type declarations and source maps are not needed on a host. */
const leftOut = /\.test\.ts$|\.d\.[cm]?ts$|\.map$/
/** A fixed time, so that the same sources give the same archive. */
const mtime = new Date(0)

/** Makes the route by which hosts fetch the agent. The archive is made on the first request and kept. */
export function createBundleTransfer(): TransferRoute {
  let bundle: Promise<Buffer> | undefined
  return {
    name: 'get_agent_bundle',
    method: 'GET',
    path: '/agent/v1/bundle.tgz',
    run: async () => {
      bundle ??= readAgent().catch((error) => {
        bundle = undefined
        throw error
      })
      const content = await bundle
      const open = async function* () {
        yield content
      }
      return { status: 200, headers: [], media_type: 'application/gzip', content: { size_bytes: content.length, open } }
    },
  }
}

async function readAgent(): Promise<Buffer> {
  const packed = await readFile(join(programRoot, 'agent.tgz')).catch(() => undefined)
  return packed ?? packAgent()
}

/** Packs the agent of a checkout. */
export async function packAgent(): Promise<Buffer> {
  // Imported lazily to keep the start of the server fast.
  const { create } = await import('tar')
  const filter = (path: string) => !leftOut.test(path)
  const archive = create({ cwd: programRoot, gzip: true, portable: true, mtime, filter }, parts)
  const pieces: Buffer[] = []
  for await (const piece of archive) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
