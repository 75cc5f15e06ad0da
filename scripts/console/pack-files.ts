/** Compresses the files of the built console once, as far as it goes, so that the server never has to. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { consoleFolder } from './config.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Writes a `.br` and a `.gz` beside each text file. Returns what was written as a sentence. */
export async function packFiles(): Promise<string> {
  const dist = join(consoleFolder, 'dist')
  const files = globSync('assets/*.{js,css,svg}', { cwd: dist })
  const sizes = await Promise.all(files.map((file) => packFile(join(dist, file))))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return `The console was built: ${files.length} files, ${Math.ceil(total / 1000)} kB as brotli.`
}

async function packFile(path: string): Promise<number> {
  const bytes = readFileSync(path)
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const [small, zipped] = await Promise.all([brotli(bytes, options), zip(bytes, { level: 9 })])
  writeFileSync(`${path}.br`, small)
  writeFileSync(`${path}.gz`, zipped)
  return small.length
}
