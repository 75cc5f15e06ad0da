/** `bourse images download`: downloads an image to a file, verifies its checksum, resumes after interruptions. */
import { createHash } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { fetchBytes, persist } from '../input/byte-transfer.ts'
import { readFile } from '../input/file-parts.ts'
import { resolveReference } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { openProgress, type Progress } from '../output/progress.ts'
import { printsNoRows } from '../output/rows/without-rows.ts'
import { usageProblem } from '../output/usage.ts'

type DownloadOptions = GlobalOptions & { force?: boolean }
type DownloadedImageId = `image_${string}`
type Download = { readonly session: Session; readonly image_id: DownloadedImageId; readonly path: string }

const tries = 6

/** Adds the command. */
export function addImagesDownload(images: Command, context: CommandContext): void {
  const command = printsNoRows(images.command('download'))
    .description('Download an image to a file and verify its checksum. Run the same command again to resume.')
    .argument('<image>', 'Image: name, id or path.')
    .argument('[file]', "The file. Default: the image's name in the working directory.")
    .option('--force', 'Replace an existing file.')
    .addHelpText('after', '\nExample:\n  $ bourse images download base copy.qcow2')
  command.action(async (typed: string, file: string | undefined) => {
    const options = command.optsWithGlobals<DownloadOptions>()
    const session = openSession(context, options)
    const image_id = (await resolveReference(session.lookup, 'image', typed)) as DownloadedImageId
    const { name } = await session.lookup.images.get(image_id)
    const target = file ?? name
    if (!options.force && (await sizeOf(target)) !== undefined) {
      throw usageProblem(`${target} already exists.`, 'Give another name, or --force to replace it.')
    }
    const { size_bytes } = await fetchWhole({ session, image_id, path: `${target}.part` })
    await rename(`${target}.part`, target)
    session.terminal.note(`${target}: ${size_bytes} bytes, checksum verified.`)
  })
}

async function fetchWhole({ session, image_id, path }: Download): Promise<{ size_bytes: number }> {
  const { sha256, size_bytes } = await session.client.images.getDownload(image_id)
  // A file that is longer than the image is another file.
  if (((await sizeOf(path)) ?? 0) > size_bytes) await rm(path)
  const progress = openProgress(session.terminal, 'Fetching', size_bytes)
  progress.skip((await sizeOf(path)) ?? 0)
  let moved = 0
  await persist(
    tries,
    async () => {
      moved = 0
      const { url } = await session.lookup.images.getDownload(image_id)
      await fetchRest(url, path, { size_bytes, progress, look: (bytes) => (moved += bytes) })
    },
    { hasMoved: () => moved > 0 },
  )
  progress.end()
  if ((await sumOf(path)) === sha256) return { size_bytes }
  await rm(path, { force: true })
  throw new Error(`The downloaded file does not have the checksum ${sha256} and was removed. Try again.`)
}

type Rest = { readonly size_bytes: number; readonly progress: Progress; readonly look: (bytes: number) => void }

/** Downloads the rest of a partly downloaded file. */
async function fetchRest(url: string, path: string, { size_bytes, progress, look: output }: Rest): Promise<void> {
  const had = (await sizeOf(path)) ?? 0
  if (had === size_bytes && size_bytes > 0) return
  const { start, bytes } = await fetchBytes(url, had)
  await using file = await open(path, had > 0 ? 'r+' : 'w', 0o600)
  if (start < had) {
    await file.truncate(start)
    progress.add(start - had)
  }
  let at = start
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    for (let done = 0; done < chunk.length; ) {
      done += (await file.write(chunk, done, chunk.length - done, at + done)).bytesWritten
    }
    at += chunk.length
    progress.add(chunk.length)
    output(chunk.length)
  }
  await file.sync()
  if (at !== size_bytes) throw Object.assign(new Error('The download was interrupted.'), { code: 'ECONNRESET' })
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  const length = (await sizeOf(path)) ?? 0
  if (length > 0) for await (const chunk of readFile(path, { start: 0, length })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}
