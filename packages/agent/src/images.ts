/**
 * The images on this host: downloaded once, verified during the download, then read-only. They are found by image and
 * digest. By the digest alone, who knows the digest of another account's image could start machines from it here.
 */
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
  /** Removes all images except these, and the remains of interrupted downloads. */
  sweep(kept: readonly Image[]): Promise<void>
}

/** Opens the images in the state directory of an agent. */
export function openImages(directory: string): Images {
  const root = join(directory, 'images')
  const inFlight = new Map<string, Promise<string>>()
  return {
    fetch: async (image, signal) => {
      if (!image?.url || image.sha256 === null) throw startFailure('image_gone', 'The image no longer has any bytes.')
      const { url, sha256, size_bytes } = image
      const file = fileOf(image)
      const source = { path: join(root, file), url, sha256, size_bytes }
      // Machines that start from the same image share one download. The machine that began it may abort it.
      const known = inFlight.get(file)
      if (known !== undefined) return known.catch(() => fetchInto(root, source, signal))
      const fetching = fetchInto(root, source, signal).finally(() => inFlight.delete(file))
      inFlight.set(file, fetching)
      return fetching
    },
    sweep: async (kept) => {
      const names = await readdir(root).catch(() => [])
      const files = new Set(kept.map(fileOf))
      const isKept = (file: string) => files.has(file) || inFlight.has(file)
      const old = names.filter((name) => !isKept(name.replace(partEnding, '')))
      await Promise.all(old.map((name) => removeAll(join(root, name))))
    },
  }
}

function fileOf({ id, sha256 }: Image): string {
  return `${id}-${sha256}`
}

type Source = {
  readonly path: string
  readonly url: string
  readonly sha256: string
  readonly size_bytes: number | null
}

async function fetchInto(
  root: string,
  { path, url, sha256, size_bytes }: Source,
  signal: AbortSignal,
): Promise<string> {
  if (await hasSize(path, size_bytes)) return path
  await mkdir(root, { recursive: true, mode: 0o700 })
  const beside = path + partEnding
  const hash = createHash('sha256')
  let received = 0
  const hashing = new Transform({
    transform: (piece, _encoding, done) => {
      hash.update(piece)
      received += piece.length
      // Ends the download before more than the image fills the disk.
      done(received > (size_bytes ?? Number.POSITIVE_INFINITY) ? mismatch('size') : null, piece)
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
  const wrong = received !== (size_bytes ?? received) ? 'size' : hash.digest('hex') !== sha256 ? 'digest' : undefined
  if (wrong !== undefined) {
    await removeAll(beside)
    throw mismatch(wrong)
  }
  await chmod(beside, 0o444)
  await rename(beside, path)
  return path
}

/** Whether the file exists and has all of its bytes. */
async function hasSize(path: string, size_bytes: number | null): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size_bytes === null || size === size_bytes,
    () => false,
  )
}

function mismatch(what: 'digest' | 'size'): Error {
  return startFailure('checksum_mismatch', `The ${what} of the image does not match.`)
}

function failureOf(error: unknown): unknown {
  if (isStartFailure(error) || (error as Error).name === 'AbortError') return error
  if (isDiskFull(error)) return startFailure('disk_full', 'The disk of the host is full.')
  return startFailure('image_unreachable', `The image could not be downloaded: ${(error as Error).message}`)
}
