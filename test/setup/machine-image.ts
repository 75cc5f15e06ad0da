import { buildTestImage, tinyImageVariable } from '../../packages/agent/test/support/tiny-image.ts'

/** Builds the image of the machines of a run before its tests, and removes it after them. */
export async function setup(): Promise<undefined | (() => Promise<void>)> {
  if (process.env[tinyImageVariable]) return undefined
  // If it cannot be built, the tests report it as the reason of a skip, or fail if they are required.
  const image = await buildTestImage().catch(() => undefined)
  if (!image) return undefined
  process.env[tinyImageVariable] = image.path
  return async () => image[Symbol.asyncDispose]()
}
