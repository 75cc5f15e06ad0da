/** Parses values of the command line that are neither times nor amounts: tags, JSON, files. */
import { readFileSync } from 'node:fs'
import { isSshPublicKey, readSshPublicKey } from '@bourse/text/ssh/public-keys.ts'
import { usageProblem } from '../output/usage.ts'

/** Parses a tag `key=value` at its first `=`. */
export function readPair(text: string): [key: string, value: string] {
  const at = text.indexOf('=')
  if (at <= 0) throw usageProblem(`"${text}" is not a tag.`, 'Write key=value.')
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Reads text from a file (`@file`), from the standard input (`@-`), or from the argument itself. */
export function readTextOrFile(text: string): string {
  return text.startsWith('@') ? readFile(text.slice(1)).toString('utf8') : text
}

/** Reads a file; `-` is the standard input. */
export function readFile(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    throw usageProblem(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`)
  }
}

/**
 * Reads an SSH public key from a file, or takes the line itself. What is none is refused here, and a private key above
 * all is not sent anywhere.
 */
export function readPublicKey(text: string): string {
  const line = /^[a-z0-9@.-]+\s+AAAA/.test(text) ? text : readFile(text).toString('utf8')
  const read = readSshPublicKey(line)
  if (isSshPublicKey(read)) return line.trim()
  throw usageProblem(read.message.replace('It was not stored.', 'It was not sent.'))
}

/** Parses JSON from the argument or from a file. */
export function readJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(readTextOrFile(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw usageProblem(`${flag} takes JSON: ${error.message}.`)
    throw error
  }
}
