/** The images on this host, by digest: downloaded once, verified during the download, then read-only. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'
import { isDiskFull, removeAll } from './files.ts'
import { isStartFailure, startFailure } from './problems.ts'

type Image = NonNullable<DesiredInstance['image']>

const partEnding = '.part'

/** The images of one agent. */
export type Images = {
  /** The file of an image. Throws a `StartFailure` if it cannot be downloaded completely. */
  fetch(image: Image | null, signal: AbortSignal): Promise<string>
  /** Removes all images except these digests, and the remains of interrupted downloads. */
  sweep(digests: ReadonlySet<string>): Promise<void>
}

/** Opens the images in the state directory of an agent. */
export function openImages(directory: string): Images {
  const root = join(directory, 'images')
  const inFlight = new Map<string, Promise<string>>()
  return {
    fetch: async (image, signal) => {
      if (!image?.url || image.sha256 === null) throw startFailure('image_gone', 'The image no longer has any bytes.')
      const { url, sha256 } = image
      // Machines that start from the same image share one download. The machine that began it may abort it.
      const known = inFlight.get(sha256)
      if (known !== undefined) return known.catch(() => fetchInto(root, { url, sha256 }, signal))
      const fetching = fetchInto(root, { url, sha256 }, signal).finally(() => inFlight.delete(sha256))
      inFlight.set(sha256, fetching)
      return fetching
    },
    sweep: async (digests) => {
      const names = await readdir(root).catch(() => [])
      const isKept = (digest: string) => digests.has(digest) || inFlight.has(digest)
      const old = names.filter((name) => !isKept(name.replace(partEnding, '')))
      await Promise.all(old.map((name) => removeAll(join(root, name))))
    },
  }
}

async function fetchInto(
  root: string,
  { url, sha256 }: { url: string; sha256: string },
  signal: AbortSignal,
): Promise<string> {
  const path = join(root, sha256)
  if (await isThere(path)) return path
  await mkdir(root, { recursive: true, mode: 0o700 })
  const beside = path + partEnding
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform: (piece, _encoding, done) => {
      hash.update(piece)
      done(null, piece)
    },
  })
  try {
    const response = await fetch(url, { signal })
    if (!response.ok || !response.body) {
      throw startFailure('image_unreachable', `The image store answered ${response.status}.`)
    }
    await pipeline(response.body, hashing, createWriteStream(beside), { signal })
  } catch (error) {
    await removeAll(beside)
    throw failureOf(error)
  }
  if (hash.digest('hex') !== sha256) {
    await removeAll(beside)
    throw startFailure('checksum_mismatch', 'The digest of the image does not match.')
  }
  await chmod(beside, 0o444)
  await rename(beside, path)
  return path
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function failureOf(error: unknown): unknown {
  if (isStartFailure(error) || (error as Error).name === 'AbortError') return error
  if (isDiskFull(error)) return startFailure('disk_full', 'The disk of the host is full.')
  return startFailure('image_unreachable', `The image could not be downloaded: ${(error as Error).message}`)
}
