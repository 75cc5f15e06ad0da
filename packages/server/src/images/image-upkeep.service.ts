/**
 * Removes bytes that no row refers to: those that a killed server, a deletion during an outage of the store, or a reset
 * sandbox left. The store is read before the rows. Because a row is written before its bytes, bytes without a row are
 * unused.
 */
import { hourSeconds } from '@bourse/text/time/units.ts'
import { every, wallMilliseconds } from '../core/base/clock.ts'
import type { FileStore } from '../core/blobs/file-store.ts'
import type { ObjectStore } from '../core/blobs/object-store.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { listFiles, listUploads } from './image-upkeep.store.ts'

const sweepMilliseconds = 60 * 60_000
const imagesAtOnce = 200
/** The store knows an upload before its row contains the name, so new uploads are not swept. */
const uploadGraceSeconds = hourSeconds

/** Sweeps the whole store. Returns the number of removed files, uploads and objects. */
export function sweepImages(runtime: Runtime): Promise<number> {
  const { blobs } = runtime
  return blobs.kind === 'files' ? sweepFiles(runtime, blobs) : sweepObjects(runtime, blobs)
}

/** Sweeps now and then every hour of real time. Returns a function that stops it. */
export function startImageUpkeep(runtime: Runtime): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let isStopped = false
  const work = async () => {
    if (isStopped) return
    const removed = await sweepImages(runtime).catch((error: Error) => {
      runtime.log.warn({ err: error }, 'The image store could not be swept; the next sweep retries.')
    })
    if (removed) runtime.log.info({ removed }, 'Bytes that no image refers to were removed.')
  }
  const begin = () => {
    running = running.then(work)
  }
  begin()
  const stop = every(sweepMilliseconds, begin)
  return async () => {
    stop()
    isStopped = true
    await running
  }
}

async function sweepFiles({ database }: Runtime, files: FileStore): Promise<number> {
  let removed = 0
  for (const imageIds of inBatches(await files.listImages())) {
    const found = new Map<string, string[]>()
    for (const image_id of imageIds) found.set(image_id, await files.listFiles(image_id))
    const rows = await listFiles(database.reader, imageIds)
    const owned = new Set(rows.map(({ image_id, file }) => `${image_id}/${file}`))
    for (const [image_id, names] of found) {
      const nobodys = names.filter((file) => !owned.has(`${image_id}/${file}`))
      for (const file of nobodys) await files.remove({ image_id, file })
      removed += nobodys.length
      if (nobodys.length === names.length) await files.tidyUp(image_id)
    }
  }
  return removed
}

async function sweepObjects({ database }: Runtime, objects: ObjectStore): Promise<number> {
  let removed = 0
  const old = wallMilliseconds() / 1000 - uploadGraceSeconds
  const uploads = (await objects.listUploads()).filter(({ begun_at }) => begun_at < old)
  for (const some of inBatches(uploads)) {
    const ids = some.map(({ image_id }) => image_id)
    const rows = (await listUploads(database.reader, ids)).filter(({ state }) => state === 'uploading')
    const owned = new Set(rows.map(({ image_id, upload }) => `${image_id} ${upload}`))
    for (const { image_id, upload } of some.filter((one) => !owned.has(`${one.image_id} ${one.upload}`))) {
      await objects.abort({ image_id, upload })
      removed++
    }
  }
  for await (const imageIds of objects.listImages()) {
    const owned = new Set((await listUploads(database.reader, imageIds)).map(({ image_id }) => image_id))
    for (const image_id of imageIds.filter((id) => !owned.has(id))) {
      await objects.removeObject(image_id)
      removed++
    }
  }
  return removed
}

function* inBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += imagesAtOnce) yield all.slice(at, at + imagesAtOnce)
}
