import { type Rule, repositoryOf } from './source.ts'

/** What a rule says about a repository that holds just these files: `path:line message`, for tests. */
export function check(rules: readonly Rule[], files: Readonly<Record<string, string>>): string[] {
  const repository = repositoryOf(new Map(Object.entries(files)))
  return rules.flatMap((rule) => rule(repository)).map(({ path, line, message }) => `${path}:${line} ${message}`)
}
