import { type Rule, repositoryOf } from './source.ts'

/** The findings of rules in a repository that contains only these files, as `path:line message`. For tests. */
export function check(rules: readonly Rule[], files: Readonly<Record<string, string>>): string[] {
  const repository = repositoryOf(new Map(Object.entries(files)))
  return rules.flatMap((rule) => rule(repository)).map(({ path, line, message }) => `${path}:${line} ${message}`)
}
