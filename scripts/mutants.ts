// Tries mutants: small bugs that the tests have to find.
//   npm run mutants                     all
//   npm run mutants -- written [WORD…]  those that are written by hand, or of them those whose file, test or
//                                       description has a word
//   npm run mutants -- syntax [AREA…]   those that StrykerJS makes of the source
//   npm run mutants -- changed [COMMIT] of those the ones of lines that differ from a commit

import { baseCommit } from './mutants/syntax/changed-lines.ts'
import { tryChanged, tryWhole } from './mutants/syntax/try-areas.ts'
import { tryWritten } from './mutants/trial/try-written.ts'

const kinds: Readonly<Record<string, (words: readonly string[]) => Promise<readonly string[]>>> = {
  written: tryWritten,
  syntax: tryWhole,
  changed: ([base = baseCommit()]) => tryChanged(base),
}
const [kind, ...words] = process.argv.slice(2)
const chosen = kind === undefined ? [tryWritten, tryWhole] : [kinds[kind]]
for (const tryThem of chosen) {
  if (tryThem === undefined) {
    console.error(`There are no mutants of the kind ${kind}. Kinds are ${Object.keys(kinds).join(', ')}.`)
    process.exit(2)
  }
  const problems = await tryThem(words)
  for (const problem of problems) console.error(`not good enough: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
