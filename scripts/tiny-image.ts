/**
 * `npm run image:tiny [-- path]`: builds a bootable image of about 20 MB from Debian packages. It downloads them
 * from the mirror that this machine is configured for. It needs no root rights and installs nothing.
 */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buildTinyImage } from './image/build.ts'

const path = resolve(process.argv[2] ?? 'data/tiny.qcow2')
const began = performance.now()
try {
  await buildTinyImage(path)
  const { size } = await stat(path)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${path}: ${(size / 1e6).toFixed(1)} MB, built in ${seconds} s`)
} catch (error) {
  console.error(`Error: ${(error as Error).message}`)
  process.exitCode = 1
}
