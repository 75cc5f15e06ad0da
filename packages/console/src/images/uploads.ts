/** The uploads of this tab. They go on while other pages of the console are shown. */
import type { FilePart, ListedPart } from '@bourse/api/images/image-parts.rules.ts'
import { isPartsProblem } from '@bourse/api/images/image-parts.rules.ts'
import type { CreateImageBody, ImageId } from '@bourse/sdk'
import { useSyncExternalStore } from 'react'
import { cache } from '../live/cache.ts'
import { client } from '../live/client.ts'
import { digestOf } from './hashing.ts'
import { sendPart } from './send-part.ts'
import { isSamePart, partsToCompare, planUpload, type UploadSample, withSample } from './upload.rules.ts'

/** What an upload is doing, or how it ended. */
export type UploadPhase = 'comparing' | 'sending' | 'completing' | 'done' | 'stopped' | 'failed'

/** An upload as a page shows it. */
export type Upload = {
  readonly image_id: ImageId
  readonly name: string
  readonly size_bytes: number
  readonly phase: UploadPhase
  /** Bytes that the server has, also those of an earlier attempt. */
  readonly there_bytes: number
  /** Bytes that an earlier attempt had sent. */
  readonly kept_bytes: number
  readonly hashed_bytes: number
  readonly samples: readonly UploadSample[]
  readonly error: Error | null
}

/** What is sent at the same time. */
const parallelParts = 4

let uploads: readonly Upload[] = []
const watchers = new Set<() => void>()
const stops = new Map<string, AbortController>()

/** All uploads of this tab, newest first. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, () => uploads)
}

/** Whether an upload is under way. */
export function isUnderWay({ phase }: Upload): boolean {
  return phase === 'comparing' || phase === 'sending' || phase === 'completing'
}

/** Creates an image and sends the file. Resolves once the image is created. */
export async function beginUpload(file: File, body: CreateImageBody, options: UploadOptions): Promise<void> {
  const image = await client.images.create(body)
  void run({ file, image_id: image.id, name: image.name, ...options })
}

/** Goes on with an image that was begun before, perhaps in another browser. */
export function resumeUpload(
  file: File,
  image: { readonly id: ImageId; readonly name: string },
  options: UploadOptions,
) {
  void run({ file, image_id: image.id, name: image.name, ...options })
}

/** Stops sending. What the server has stays there for a day. */
export function stopUpload(image_id: string): void {
  stops.get(image_id)?.abort(new Error('stopped'))
}

/** Takes an upload that has ended from the list. */
export function forgetUpload(image_id: string): void {
  setUploads(uploads.filter((one) => one.image_id !== image_id))
}

type UploadOptions = { readonly acceptsUnknown: boolean }
type Job = UploadOptions & { readonly file: File; readonly image_id: ImageId; readonly name: string }

async function run(job: Job): Promise<void> {
  const { image_id, name, file } = job
  if (stops.has(image_id)) return
  const stop = new AbortController()
  stops.set(image_id, stop)
  const fresh = { there_bytes: 0, kept_bytes: 0, hashed_bytes: 0, samples: [], error: null }
  const upload = { image_id, name, size_bytes: file.size, phase: 'comparing', ...fresh } as const
  setUploads([upload, ...uploads.filter((one) => one.image_id !== image_id)])
  try {
    await transfer(job, stop)
    change(image_id, { phase: 'done' })
  } catch (error) {
    const isStopped = error instanceof Error && error.message === 'stopped'
    stop.abort(error)
    change(image_id, isStopped ? { phase: 'stopped' } : { phase: 'failed', error: error as Error })
  } finally {
    stops.delete(image_id)
    void cache.invalidateQueries({ queryKey: ['image'] })
  }
}

async function transfer(job: Job, stop: AbortController): Promise<void> {
  const { image_id, file, acceptsUnknown } = job
  const { signal } = stop
  void cache.invalidateQueries({ queryKey: ['image'] })
  const listed = (await client.imageParts.list(image_id)).data
  const parts = planUpload(file.size, listed)
  if (isPartsProblem(parts)) throw new Error(`${parts.message} ${parts.remedy ?? ''}`)
  const onRead = (hashed_bytes: number) => change(image_id, { hashed_bytes })
  const digest = digestOf({ algorithm: 'sha256', blob: file }, { signal, onRead })
  const sent = missingParts(job, parts, listed, signal).then((missing) => sendAll(job, missing, stop))
  const [sha256] = await Promise.all([digest, sent])
  change(image_id, { phase: 'completing' })
  await client.images.complete(image_id, { sha256, ...(acceptsUnknown ? { accept_unknown_format: true } : {}) })
}

/** The parts that the server does not have, or has with other bytes. */
async function missingParts(
  { image_id, file }: Job,
  parts: readonly FilePart[],
  listed: readonly ListedPart[],
  signal: AbortSignal,
): Promise<readonly FilePart[]> {
  const there = new Map(listed.map((part) => [part.part_id, part]))
  const same = new Set<number>()
  for (const { part_id, start, length } of partsToCompare(parts, listed)) {
    const md5 = await digestOf({ algorithm: 'md5', blob: file.slice(start, start + length) }, { signal })
    if (!isSamePart(there.get(part_id) as ListedPart, md5)) continue
    same.add(part_id)
    const { kept_bytes } = uploadOf(image_id)
    change(image_id, { kept_bytes: kept_bytes + length, there_bytes: kept_bytes + length })
  }
  return parts.filter(({ part_id }) => !same.has(part_id))
}

async function sendAll({ image_id, file }: Job, parts: readonly FilePart[], { signal }: AbortController) {
  change(image_id, { phase: 'sending' })
  const open = [...parts]
  const onSent = (bytes: number) => {
    const { there_bytes, samples } = uploadOf(image_id)
    const now = there_bytes + bytes
    change(image_id, { there_bytes: now, samples: withSample(samples, { at: performance.now(), bytes: now }) })
  }
  onSent(0)
  const sender = async () => {
    for (let part = open.shift(); part !== undefined; part = open.shift()) {
      await sendPart({ image_id, file, part, signal, onSent })
    }
  }
  const senders = Array.from({ length: Math.min(parallelParts, parts.length) }, () =>
    sender().catch((error) => {
      open.length = 0
      throw error
    }),
  )
  await Promise.all(senders)
}

function uploadOf(image_id: string): Upload {
  return uploads.find((one) => one.image_id === image_id) as Upload
}

function change(image_id: string, fields: Partial<Upload>): void {
  setUploads(uploads.map((one) => (one.image_id === image_id ? { ...one, ...fields } : one)))
}

function setUploads(next: readonly Upload[]): void {
  const wasBusy = uploads.some(isUnderWay)
  uploads = next
  const isBusy = uploads.some(isUnderWay)
  if (isBusy && !wasBusy) addEventListener('beforeunload', askBeforeLeaving)
  if (!isBusy && wasBusy) removeEventListener('beforeunload', askBeforeLeaving)
  for (const watcher of watchers) watcher()
}

/** The browser asks whether to leave. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
