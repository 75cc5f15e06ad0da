/** Reads the commands that the documents show. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

/** The shell blocks below a heading of a document, each as its lines. */
export function shownBlocks(path: string, heading: string): string[][] {
  const text = readFileSync(join(root, path), 'utf8')
  const [, from = ''] = text.split(new RegExp(`^${heading}$`, 'm'))
  const level = /^#+/.exec(heading)?.[0].length
  const [part = ''] = from.split(new RegExp(`^#{1,${level}} `, 'm'))
  return [...part.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, block = '']) => block.split('\n'))
}

/** A command that a document shows after `$ `, and the shown output. */
export type ShownCommand = { readonly command: string; readonly output: string }

/** The commands of the console blocks of a document, with their output. */
export function shownSession(path: string): ShownCommand[] {
  const text = readFileSync(join(root, path), 'utf8')
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)\n```$/gm)].map(([, block = '']) => block)
  const commands = blocks.flatMap((block) => block.split(/^\$ /m).slice(1))
  return commands.map((shown) => {
    const [command = '', ...output] = shown.trimEnd().split('\n')
    return { command, output: output.join('\n') }
  })
}
