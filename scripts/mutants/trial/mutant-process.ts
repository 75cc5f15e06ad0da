/** Preloaded in each process of a test: loads one source file with the mutant. Does not change files on disk. */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Mutant } from '../mutant.ts'

const { file, text, replacement } = JSON.parse(process.env.BOURSE_MUTANT ?? '{}') as Mutant
const applied = pathToFileURL(join(import.meta.dirname, '../../..', file)).href

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (url !== applied) return loaded
    return { ...loaded, source: String(loaded.source).replace(text, () => replacement) }
  },
})
