/** `--env-file`: variables of the environment from a file, such as /etc/bourse/bourse.env. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { usageProblem } from '../output/usage.ts'

/** Bytes; the file with all settings and their meaning has 3,000. */
const bytesMax = 256 * 1024
const option = '--env-file'
const form = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=/

/**
 * Adds the variables of the files that a command line names to the environment, as Node's option of this name does:
 * what is set already stays. They are added to the given object itself, because workers of a server inherit them.
 * Throws a usage problem where a file cannot be read.
 */
export function addEnvFile(words: readonly string[], variables: NodeJS.ProcessEnv): void {
  for (const path of filesIn(words)) {
    const read = parseEnv(readSettings(path))
    for (const [name, value] of Object.entries(read)) variables[name] ??= value
  }
}

/** The files that are named before `--`, behind which words belong to another program. */
function filesIn(words: readonly string[]): string[] {
  const end = words.indexOf('--')
  const own = end < 0 ? words : words.slice(0, end)
  return own.flatMap((word, index) => {
    if (word.startsWith(`${option}=`)) return [word.slice(option.length + 1)]
    return word !== '' && own[index - 1] === option ? [word] : []
  })
}

function readSettings(path: string): string {
  const text = readBounded(path)
  // Node leaves out what it does not understand, and a setting with a slip of the pen would be missing without a word.
  const wrong = text.split(/\r?\n/).findIndex((line) => !/^\s*(#|$)/.test(line) && !form.test(line))
  if (wrong < 0) return text
  throw usageProblem(
    `${path} cannot be read: line ${wrong + 1} is not NAME=value.`,
    'A line that begins with # counts for nothing.',
  )
}

function readBounded(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const found = fstatSync(file)
      if (!found.isFile()) throw usageProblem(`${path} is no file.`)
      if (found.size > bytesMax) throw usageProblem(`${path} is longer than ${bytesMax} bytes.`)
      return readFileSync(file, 'utf8')
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : usageProblem(`${path} cannot be read: ${code}.`, 'It is named by --env-file.')
  }
}
