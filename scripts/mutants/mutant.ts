/**
 * Mutants: each breaks one rule that matters, and a named test has to find it. A rule whose breaking no test sees
 * is not guarded, whatever the coverage says.
 */

/** One edit of the source, and the test that fails for it. */
export type Mutant = {
  /** What the program does wrong with it. */
  readonly wrong: string
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly replacement: string
  readonly test: string
  /** The test that fails, by the beginning of its title. */
  readonly caught_by: string
  /** Tried in every commit too: only where a test of pure code finds it, in a second or two. */
  readonly in_commit?: boolean
}

/** A file of the server, of its API tests, and of the other packages. */
export const server = (path: string) => `packages/server/src/${path}`
export const api = (noun: string) => `packages/server/test/api/${noun}.test.ts`
export const level = (path: string) => `packages/server/test/${path}.test.ts`
