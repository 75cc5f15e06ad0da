/** Reads the commands that the documents show. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

/** The shell blocks below a heading of a document, each as its lines, without those that a comment says none types. */
export function shownBlocks(path: string, heading: string): string[][] {
  const text = readFileSync(join(root, path), 'utf8')
  const [, from = ''] = text.split(new RegExp(`^${heading}$`, 'm'))
  const level = /^#+/.exec(heading)?.[0].length
  const [part = ''] = from.split(new RegExp(`^#{1,${level}} `, 'm'))
  return [...part.matchAll(commandBlock)].map(([, block = '']) => block.split('\n'))
}

/** A command that a document shows after `$ `, and the shown output. */
export type ShownCommand = { readonly command: string; readonly output: string }

/** The commands of the console blocks of a document, with their output. A backslash continues a command. */
export function shownSession(path: string): ShownCommand[] {
  const text = readFileSync(join(root, path), 'utf8')
  const blocks = [...text.matchAll(consoleBlock)].map(([, block = '']) => block)
  return blocks.flatMap((block) => block.split(/^\$ /m).slice(1)).map(splitShown)
}

/** The text of a document with other outputs below the commands of its console blocks, in their order. */
export function replaceOutputs(text: string, outputs: readonly string[]): string {
  let at = 0
  return text.replaceAll(consoleBlock, (_whole, block: string) => {
    const commands = block.split(/^\$ /m).slice(1).map(splitShown)
    const shown = commands.map(({ command }) => {
      const output = outputs[at++]
      return `$ ${command}${output ? `\n${output}` : ''}`
    })
    // A command with an output stands apart from the next one.
    const lines = shown.map((one, index) => (index > 0 && /[^\\]\n/.test(shown[index - 1] ?? '') ? `\n${one}` : one))
    return `\`\`\`console\n${lines.join('\n')}\n\`\`\``
  })
}

/** The text of a document in which each block of TypeScript below the link to a program is that program. */
export function replaceCode(path: string, text: string): string {
  return text.replaceAll(linkedCode, (_whole, intro: string, link: string) => {
    const code = readFileSync(join(root, dirname(path), link), 'utf8')
    return `${intro}\`\`\`ts\n${code}\`\`\``
  })
}

const linkedCode = /(\[`[\w-]+\.ts`\]\(([^)]+\.ts)\):\n\n)```ts\n[\s\S]*?```/g
// scripts/tidy/typed-blocks.ts says what the comment above a block is for.
const commandBlock = /(?<!^ *<!-- Not typed: .*\n)^```sh\n([\s\S]*?)\n```$/gm
const consoleBlock = /^```console\n([\s\S]*?)\n```$/gm

function splitShown(shown: string): ShownCommand {
  const [, command = '', output = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(shown.trimEnd()) ?? []
  return { command, output }
}
