/**
 * Compares the files of a copy with the manifest that its server sends after them, while the copy is written. Holds a
 * digest for each file, and no bytes. Not this file's work: the copy (base-copy.ts).
 */
import { createHash } from 'node:crypto'
import { Parser } from 'tar'
import { startProblem } from '../base/start-problem.ts'

type CopiedFile = { readonly size: number; readonly sha256: string }

/** Reads the archive as it passes, and the manifest afterwards. */
type ManifestCheck = {
  archive(bytes: Buffer): void
  manifest(bytes: Buffer): void
  /** Throws backup_refused if a file of the manifest is missing or differs. Returns the manifest. */
  end(): Promise<Buffer>
}

/** A million files have a manifest of 200 MB. */
const manifestBytesMax = 256 * 2 ** 20

/** Creates the check of one copy. */
export function createManifestCheck(): ManifestCheck {
  const found = new Map<string, CopiedFile>()
  const manifest: Buffer[] = []
  let manifestBytes = 0
  let failure: unknown
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const digest = createHash('sha256')
      entry.on('data', (bytes: Buffer) => void digest.update(bytes))
      entry.on('end', () => {
        const name = entry.path.replace(/^\.\//, '')
        if (entry.type === 'File') found.set(name, { size: entry.size, sha256: digest.digest('hex') })
      })
    },
  })
  const ended = new Promise<void>((resolve) => parser.on('end', () => resolve()))
  parser.on('error', (error: unknown) => {
    failure = error
  })
  return {
    archive: (bytes) => {
      parser.write(bytes)
      if (failure) throw damaged(`its archive cannot be read (${(failure as Error).message})`)
    },
    manifest: (bytes) => {
      manifestBytes += bytes.length
      if (manifestBytes > manifestBytesMax) throw damaged('its manifest has more than 256 MiB')
      manifest.push(bytes)
    },
    end: async () => {
      parser.end()
      await ended
      const text = Buffer.concat(manifest)
      const problem = compareManifest(text, found)
      if (problem !== undefined) throw damaged(problem)
      return text
    },
  }
}

/** What differs between a manifest and the files of a copy; undefined where nothing does. */
export function compareManifest(text: Buffer, found: ReadonlyMap<string, CopiedFile>): string | undefined {
  const at = text.lastIndexOf('"Manifest-Checksum"')
  const [, sha256] = /"Manifest-Checksum": "([0-9a-f]{64})"/.exec(text.toString('latin1', at)) ?? []
  const actual = createHash('sha256').update(text.subarray(0, at)).digest('hex')
  if (at < 0 || sha256 !== actual) return 'its manifest is not complete'
  const { Files } = JSON.parse(text.toString('utf8')) as { Files: Record<string, unknown>[] }
  for (const { Path, 'Encoded-Path': encoded, Size, Checksum } of Files) {
    const path = typeof Path === 'string' ? Path : Buffer.from(String(encoded), 'hex').toString('utf8')
    const file = found.get(path)
    if (!file) return `the file ${path} is missing`
    if (file.size !== Size || file.sha256 !== Checksum) return `the file ${path} was changed on the way`
  }
  return undefined
}

function damaged(problem: string): Error {
  return startProblem('backup_refused', `The copy that the database server sent is damaged: ${problem}. Try again.`)
}
