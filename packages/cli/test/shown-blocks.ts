/** What the documents tell people to type. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

/** The shell blocks below a heading of a text, each as its lines. */
export function shownBlocks(path: string, heading: string): string[][] {
  const text = readFileSync(join(root, path), 'utf8')
  const [, from = ''] = text.split(new RegExp(`^${heading}$`, 'm'))
  const level = /^#+/.exec(heading)?.[0].length
  const [part = ''] = from.split(new RegExp(`^#{1,${level}} `, 'm'))
  return [...part.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, block = '']) => block.split('\n'))
}
