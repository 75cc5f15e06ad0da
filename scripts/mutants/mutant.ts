/**
 * Mutants: each breaks one important rule, and a named test has to find it. A rule is untested if no test fails when it
 * is broken, whatever the coverage.
 */

/** One edit of the source, and the test that fails with it. */
export type Mutant = {
  /** The wrong behaviour of the program with the mutant. */
  readonly wrong: string
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly replacement: string
  readonly test: string
  /** The beginning of the title of the test that fails. */
  readonly caught_by: string
  /** Whether the usual test run tries it too. Only for mutants that a test of pure code finds in a second or two. */
  readonly in_commit?: boolean
}

/** Paths: a source file of the server, an API test, and another test of the server. */
export const server = (path: string) => `packages/server/src/${path}`
export const api = (noun: string) => `packages/server/test/api/${noun}.test.ts`
export const level = (path: string) => `packages/server/test/${path}.test.ts`
/** A file of packages/text. */
export const text = (path: string) => `packages/text/src/${path}`
