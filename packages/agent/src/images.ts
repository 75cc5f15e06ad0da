/** The images on this host, by their digests: fetched once, checked on the way, never written to again. */
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
  /** The file of an image; throws a `StartFailure` where it cannot be had whole. */
  fetch(image: Image | null, signal: AbortSignal): Promise<string>
  /** Removes what no machine stands on or is about to: all but these digests, and what broken downloads left. */
  sweep(digests: ReadonlySet<string>): Promise<void>
}

/** Opens the images in the state directory of an agent. */
export function openImages(directory: string): Images {
  const root = join(directory, 'images')
  const underWay = new Map<string, Promise<string>>()
  return {
    fetch: async (image, signal) => {
      if (!image?.url || image.sha256 === null) throw startFailure('image_gone', 'The image has no bytes any more.')
      const { url, sha256 } = image
      // Machines that start from one image at once wait for one download; whoever began it may break it off.
      const known = underWay.get(sha256)
      if (known !== undefined) return known.catch(() => fetchInto(root, { url, sha256 }, signal))
      const fetching = fetchInto(root, { url, sha256 }, signal).finally(() => underWay.delete(sha256))
      underWay.set(sha256, fetching)
      return fetching
    },
    sweep: async (digests) => {
      const names = await readdir(root).catch(() => [])
      const isKept = (digest: string) => digests.has(digest) || underWay.has(digest)
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
      throw startFailure('image_unreachable', `The store answered ${response.status}.`)
    }
    await pipeline(response.body, hashing, createWriteStream(beside), { signal })
  } catch (error) {
    await removeAll(beside)
    throw failureOf(error)
  }
  if (hash.digest('hex') !== sha256) {
    await removeAll(beside)
    throw startFailure('checksum_mismatch', 'The image is not the one that it should be.')
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
  return startFailure('image_unreachable', `The image could not be fetched: ${(error as Error).message}`)
}
