/** The requirements of tests with real machines: QEMU, and one bootable image that all files of a run share. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildTinyImage } from '../../../../scripts/image/build.ts'
import { atEnd } from '../../../../test/at-end.ts'
import { findTools } from '../../src/drivers/qemu/probe.ts'

/** The environment variable that names the image to the test files of a run. */
export const tinyImageVariable = 'BOURSE_TINY_IMAGE'

/** Builds the image for a whole run. Disposal removes it. Throws if a tool or a package is missing. */
export async function buildTestImage(): Promise<{ readonly path: string } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-tiny-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  const path = join(directory, 'tiny.qcow2')
  await buildTinyImage(path).catch(async (error) => {
    await remove()
    throw error
  })
  return { path, [Symbol.asyncDispose]: remove }
}

/**
 * The image of this run, or why no real machine can start here. If real machines are required, throws instead, so that
 * no test is skipped.
 */
export async function machineImage(): Promise<{ path: string; missing?: never } | { missing: string; path?: never }> {
  try {
    await requireTools()
    const known = process.env[tinyImageVariable]
    if (known) return { path: known }
    const image = await buildTestImage()
    atEnd(() => image[Symbol.asyncDispose]())
    return { path: image.path }
  } catch (error) {
    return { missing: missingText(error) }
  }
}

/** Why no real machine can start here, for tests that need no image; undefined if one can. */
export async function missingTools(): Promise<string | undefined> {
  return requireTools().then(() => undefined, missingText)
}

async function requireTools(): Promise<void> {
  const lacking = (await findTools()).filter(({ is_good }) => !is_good)
  if (lacking.length > 0) throw new Error(lacking.map(({ subject, message }) => `${subject}: ${message}`).join('; '))
}

function missingText(error: unknown): string {
  if (process.env.BOURSE_REQUIRE_VM === '1') throw error
  return (error as Error).message
}
