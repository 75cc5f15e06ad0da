import { serviceMembers } from '../gen/services-table.ts'
import type { Finding, Repository, Rule } from './source.ts'

export const serviceRules: readonly Rule[] = [servicesAreDescribed]

/** Every member of the services has a comment: docs/architecture.md lists it with its first sentence. */
export function servicesAreDescribed({ files }: Repository): Finding[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return serviceMembers(texts)
    .filter(({ sentence }) => sentence === undefined)
    .map(({ path, line, name }) => ({ path, line, message: `say in a comment what the service ${name} is for` }))
}
