/** `bourse images upload`: uploads a file as an image, in parts. Resumes an interrupted upload. */
import { stat } from 'node:fs/promises'
import { type ImageLayout, imageHeadBytes, inspectImage, isImageLayout } from '@bourse/api/images/image-format.rules.ts'
import { type FilePart, hasForeignParts, imageNameOf, type ListedPart } from '@bourse/api/images/image-parts.rules.ts'
import { getImage } from '@bourse/api/images/images.ts'
import { ConflictError } from '@bourse/sdk/errors.ts'
import { readSize } from '@bourse/text/grammar/amounts.ts'
import { pause } from '@bourse/text/time/pause.ts'
import type { Command } from 'commander'
import { persist, sendBytes } from '../input/byte-transfer.ts'
import { choosePartBytes, hashFile, planParts, readFile } from '../input/file-parts.ts'
import { resolveReference, workspaceOfNew } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { printObject, requirePrintable } from '../output/output.ts'
import { openProgress, type Progress } from '../output/progress.ts'
import { usageProblem } from '../output/usage.ts'
import { whileWaiting } from '../output/waits.ts'
import { shapeOf } from './operation-run.ts'

type UploadOptions = GlobalOptions & {
  name?: string
  workspace?: string
  resume?: string
  partSize?: string
  parallel: string
  force?: boolean
}

type UploadedImageId = `image_${string}`
type Upload = {
  readonly session: Session
  readonly path: string
  readonly image_id: UploadedImageId
  readonly progress: Progress
}

const tries = 6
const pollMilliseconds = 1_000

/** Adds the command. */
export function addImagesUpload(images: Command, context: CommandContext): void {
  const command = images
    .command('upload')
    .description('Upload a file as an image, in parts. Run the same command again to resume.')
    .argument('<file>', 'A disk image: qcow2, or raw with a partition table or a known file system.')
    .option('--name <name>', "Name of the image. Default: the file's, without its extension.")
    .option(
      '--workspace <workspace>',
      'The workspace of the image. Default: BOURSE_WORKSPACE, else the workspace of the profile, else of the token.',
    )
    .option('--resume <image>', 'Resume the upload of this image: name, id or path.')
    .option('--part-size <size>', 'Size of the parts: 64MiB, 1GiB. Default 16MiB, more for large files.')
    .option('--parallel <number>', 'Number of parts to send at the same time.', '4')
    .option('--force', 'Upload a file of unknown format as a raw disk.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ bourse images upload base.qcow2\n  $ bourse images upload disk.img --name trainer-4',
    )
  command.action(async (path: string) => {
    const options = command.optsWithGlobals<UploadOptions>()
    const session = openSession(context, options)
    requirePrintable(session.output, shapeOf(getImage))
    const sizeBytes = await sizeOfFile(path)
    const parallelUploads = readParallel(options.parallel)
    const asked = options.partSize === undefined ? undefined : readSize(options.partSize)
    choosePartBytes(sizeBytes, { asked, listed: [] })
    const layout = await requireImage(path, sizeBytes, options)
    if (layout?.has_boot_signature === false) session.terminal.note(noBootSector(path, layout))
    const image_id = await findOrBegin(session, path, options)
    const listed = await session.lookup.imageParts.list(image_id).all()
    const parts = planParts(sizeBytes, choosePartBytes(sizeBytes, { asked, listed }))
    refuseForeignParts(image_id, parts, listed)
    const progress = openProgress(session.terminal, 'Uploading', sizeBytes)
    const upload = { session, path, image_id, progress }
    // Both read the whole file, which is then in the page cache for the second.
    const [sha256] = await Promise.all([
      hashFile(path, 'sha256', { start: 0, length: sizeBytes }),
      sendAll(upload, parts, listed, parallelUploads),
    ])
    progress.end()
    const completed = await session.client.images.complete(image_id, {
      sha256: sha256.toString('hex'),
      ...(options.force ? { accept_unknown_format: true } : {}),
    })
    const image = await untilVerified(session, completed)
    printObject(session.terminal, session.output, image, shapeOf(getImage))
  })
}

type Image = Awaited<ReturnType<Session['client']['images']['get']>>

/** Waits until the server has computed the digest. Throws if it is not that of the file. */
async function untilVerified({ client, terminal }: Session, completed: Image): Promise<Image> {
  const id = completed.id as UploadedImageId
  const poll = async () => {
    for (;;) {
      await pause(pollMilliseconds)
      const found = await client.images.get(id)
      if (found.state !== 'verifying') return found
    }
  }
  const wait = { what: 'The server verifies the image.', stays: 'the verification' }
  const image = completed.state === 'verifying' ? await whileWaiting(terminal, wait, poll) : completed
  if (image.state !== 'failed') return image
  throw new Error(`What the server received is not ${id} as it was read here. Did the file change? Upload it again.`)
}

/** The layout of a file that can be an image; undefined if it is uploaded although its format is not known. */
async function requireImage(
  path: string,
  sizeBytes: number,
  { force }: UploadOptions,
): Promise<ImageLayout | undefined> {
  const length = Math.min(sizeBytes, imageHeadBytes)
  const chunks: Buffer[] = await readFile(path, { start: 0, length }).toArray()
  const found = inspectImage(Buffer.concat(chunks), sizeBytes)
  if (isImageLayout(found)) return found
  if (force && found.code === 'image_format_unknown') return undefined
  const remedy = found.code === 'image_format_unknown' ? '--force uploads it as a raw disk.' : undefined
  throw usageProblem(`${path} is not uploaded. ${found.message.replaceAll('<file>', path)}`, remedy)
}

function noBootSector(path: string, { contents }: ImageLayout): string {
  return `${path} has ${contents}, but no boot sector: a host that boots its machines from the disk does not start it.`
}

async function sizeOfFile(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageProblem(`${path} cannot be read: ${error.code}.`)
  })
  if (!found.isFile()) throw usageProblem(`${path} is not a file.`)
  planParts(found.size, found.size)
  return found.size
}

function readParallel(text: string): number {
  if (/^([1-9]|1\d|2[0-4])$/.test(text)) return Number(text)
  throw usageProblem(`--parallel takes a number from 1 to 24, not "${text}".`)
}

async function findOrBegin(session: Session, path: string, options: UploadOptions): Promise<UploadedImageId> {
  const { lookup, client, terminal } = session
  if (options.resume !== undefined) return (await requireOpen(session, options.resume)).id as UploadedImageId
  const name = options.name ?? imageNameOf(path)
  const workspace = await workspaceOfNew(lookup, options.workspace)
  const place = workspace === undefined ? {} : { workspace }
  try {
    const { id } = await client.images.create({ ...(name === undefined ? {} : { name }), ...place })
    terminal.note(`Started ${id}. If the upload is interrupted, resume it with --resume ${id}.`)
    return id as UploadedImageId
  } catch (error) {
    if (!(error instanceof ConflictError) || name === undefined) throw error
    const held = options.workspace === undefined ? name : `${options.workspace}/${name}`
    const { id, state } = await lookup.images.get((await resolveReference(lookup, 'image', held)) as UploadedImageId)
    // A name that belongs to a complete image stays an error.
    if (!isOpen(state)) throw error
    terminal.note(`Resuming ${id}.`)
    return id as UploadedImageId
  }
}

async function requireOpen({ lookup }: Session, typed: string) {
  const image = await lookup.images.get((await resolveReference(lookup, 'image', typed)) as UploadedImageId)
  if (isOpen(image.state)) return image
  throw usageProblem(`The image ${image.id} is ${image.state}, so there is nothing to resume.`)
}

function isOpen(state: string): boolean {
  return state === 'started' || state === 'uploading'
}

/** Refuses parts after the end of the file, because they would become part of the image. */
function refuseForeignParts(image_id: string, parts: readonly FilePart[], listed: readonly ListedPart[]): void {
  if (!hasForeignParts(parts, listed)) return
  const remedy = `Delete it (bourse images delete ${image_id}) and start again, or use the same --part-size.`
  throw usageProblem(`${image_id} has parts of another file, or of another size.`, remedy)
}

async function sendAll(
  upload: Upload,
  parts: readonly FilePart[],
  listed: readonly ListedPart[],
  parallelUploads: number,
): Promise<void> {
  const known = new Map(listed.map((part) => [part.part_id, part]))
  const open = [...parts]
  let failed = false
  const worker = async () => {
    for (let part = open.shift(); part !== undefined && !failed; part = open.shift()) {
      await sendPart(upload, part, known.get(part.part_id))
    }
  }
  const stopOthers = (error: unknown) => {
    failed = true
    throw error
  }
  await Promise.all(Array.from({ length: Math.min(parallelUploads, parts.length) }, () => worker().catch(stopOthers)))
}

/** Sends a part, unless the server already has an identical one. */
async function sendPart(upload: Upload, part: FilePart, listed: ListedPart | undefined): Promise<void> {
  const { session, path, image_id, progress } = upload
  const md5 = await hashFile(path, 'md5', part)
  if (listed?.size_bytes === part.length && listed.etag === `"${md5.toString('hex')}"`)
    return progress.skip(part.length)
  await persist(tries, async () => {
    let [sent, isOver] = [0, false]
    // What was read ahead may still arrive after the attempt has failed.
    const output = (bytes: number) => {
      if (isOver) return
      sent += bytes
      progress.add(bytes)
    }
    try {
      const { url } = await session.lookup.imageParts.create(image_id, { part_id: part.part_id })
      await sendBytes(url, readFile(path, part), { length: part.length, md5, look: output })
    } catch (error) {
      isOver = true
      progress.add(-sent)
      throw error
    }
  })
}
