// Checks that a name which a comment writes in backticks still exists: a rename leaves comments behind.

import { isGenerated, isTypeScript } from './house.ts'
import type { Finding, Repository, Rule, Source } from './source.ts'

export const commentNameRules: readonly Rule[] = [commentedNames]

const identifier = /[A-Za-z_$][\w$]*/g
const quotedName = /(rank )?`([A-Za-z_$][\w$]*)(?:\(\))?`/g
/** Documents whose words are names that the whole repository knows: columns and settings, fields and codes. */
const schemaFile = 'migrations/schema.sql'
const dictionaries = [schemaFile, 'openapi.json']
/** Words of two parts or more are searched for as a whole, so they may be named far from where they are declared. */
const isCompound = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z]/
/** Has a heading for each code of an error. */
const codesPage = 'docs/errors.md'
/** Declares the ranks of locks, which comments name as rank `pools`. */
const locksFile = 'packages/server/src/core/work/locks.ts'

/** What is named as it is called outside of the repository: by JavaScript, SQL, Linux, HTTP and other standards. */
const outside = new Set(
  `undefined null true false fetch console sort bigint jsonb like Forwarded Host Range unknown aud iss typ pg ip
  wg sys proc TZ modinfo newc session packed externalDocs new_id jsonb_to_recordset ShareRowExclusiveLock`.split(/\s+/),
)

/**
 * A name in the backticks of a comment stands in the code of the file. A name of several words may stand anywhere in
 * the code, in the schema of the database or in the contract.
 */
export function commentedNames(repository: Repository): Finding[] {
  const files = repository.files.filter(({ path }) => isTypeScript(path))
  const names = new Map(files.map((file) => [file.path, namesIn(file)]))
  const known = new Set([...names.values()].flatMap((own) => [...own]).filter((name) => isCompound.test(name)))
  for (const path of dictionaries)
    for (const [name] of textOf(repository, path).matchAll(identifier)) if (isCompound.test(name)) known.add(name)
  for (const [, code] of textOf(repository, codesPage).matchAll(/^### (\w+)$/gm)) known.add(code as string)
  for (const [, table] of textOf(repository, schemaFile).matchAll(/^create table (\w+)/gim)) known.add(table as string)
  const ranks = names.get(locksFile)
  return files
    .filter(({ path }) => !isGenerated(path))
    .flatMap((file) => {
      const own = names.get(file.path)
      return file.comments.flatMap(({ value, start }) =>
        [...value.matchAll(quotedName)]
          .filter(([, rank, name = '']) => !(outside.has(name) || known.has(name) || (rank ? ranks : own)?.has(name)))
          .map(({ 2: name, index }) => ({
            path: file.path,
            line: file.lineOf(start + 2 + index),
            message: `no code here holds '${name}': name it as it is called, or describe it`,
          })),
      )
    })
}

/** The identifiers and the words of texts in a file, without its comments. */
function namesIn(file: Source): ReadonlySet<string> {
  let code = ''
  let end = 0
  for (const comment of file.comments) {
    code += file.text.slice(end, comment.start)
    end = comment.end
  }
  code += file.text.slice(end)
  return new Set([...code.matchAll(identifier)].map(([name]) => name))
}

function textOf(repository: Repository, path: string): string {
  return repository.byPath.get(path)?.text ?? ''
}
