import { fileAddress, isTypeScript } from './house.ts'
import { dotted, type Finding, isNode, type Node, type Repository, type Rule, type Source } from './source.ts'

/** Nothing remembered outlives the history of the database that it was read from (docs/decisions/025). */
export const memoryRules: readonly Rule[] = [cachesAreRemembered, moduleStateIsIndependent, servicesAreRemembered]

/** Files whose caches hold nothing that was read from the database, and what they hold. */
const independent: ReadonlyMap<string, string> = new Map([
  ['packages/server/src/core/base/recent-cache.ts', 'the definition'],
  ['packages/server/src/core/base/ids.ts', 'the last random tail of each generator'],
  ['packages/server/src/core/db/pipeline.ts', 'statements of one connection'],
  ['packages/server/src/core/db/torn-read.ts', 'errors of this process'],
  ['packages/server/src/core/http/http.ts', 'parsed URLs'],
  ['packages/server/src/core/keys/derived-secret.ts', 'keys derived from key files'],
  ['packages/server/src/core/keys/event-cursor.ts', 'keys derived from key files'],
  ['packages/server/src/core/keys/jwt.ts', 'verified signatures'],
  ['packages/server/src/core/keys/list-cursor.ts', 'keys derived from key files'],
  [
    'packages/server/src/events/serving/event-scopes.service.ts',
    'the workspaces of a rights object, which is itself remembered',
  ],
  ['packages/server/src/webhooks/webhook-keys.service.ts', 'keys derived from key files'],
  ['packages/server/src/iam/access/permissions.rules.ts', 'the rights of nobody, a constant'],
])

/** Members of the services that hold nothing read from the database beyond one request. */
const transient = new Set([
  'readSnapshot',
  'readEndedTokens',
  'recordLoss',
  'failures',
  // Until a durable write succeeds again.
  'writes',
  // Entries that are not written yet.
  'audit_queue',
  'book_reads',
  // What providers publish, and what the operator has configured.
  'providers',
  'sign_in_issuers',
  'agent_signers',
  'streams',
  'caller_generation',
  // Its version is remembered.
  'cursor_keys',
  'order_queue',
  'replacement_queue',
  'report_queues',
  'host_generations',
  'desired_notifier',
  'log_notifier',
  'log_budget',
  'open_logins_max',
  'first_tokens_end',
  'dual_control_micros',
  'seals_may_begin_again',
  'host_networks',
  'tunnel_settings',
  'image_verification',
  'world',
  // Places are compared with the history before they are used.
  'event_readers',
  'webhook_settings',
  'webhook_clock',
  'webhook_counts',
  'webhook_measures',
  // Read again every few seconds.
  'active_faults',
])

const remedy = 'keep it with history.remember of core/db/history.ts, or list in scripts/tidy/memory.ts why it may stay'

/** Every cache is created inside a call of `remember`, or by a function that is passed to one. */
export function cachesAreRemembered(repository: Repository): Finding[] {
  const files = programs(repository)
  const makers = new Set(files.flatMap(remembering).flatMap(({ arguments: given }) => namesOf(given)))
  return files
    .filter(({ path }) => !independent.has(path))
    .flatMap((file) => {
      const inside = [...remembering(file), ...file.nodes.filter((node) => makers.has(functionName(node)))]
      return file.nodes
        .filter((node) => node.type === 'CallExpression' && dotted(node.callee) === 'createRecentCache')
        .filter((node) => !inside.some((outer) => outer.start <= node.start && node.end <= outer.end))
        .map((node) => at(file, node, `a cache may outlive the history of the database: ${remedy}`))
    })
}

/** A module keeps no map of its own: it would serve all servers of a process, in every history. */
export function moduleStateIsIndependent(repository: Repository): Finding[] {
  return programs(repository)
    .filter(({ path }) => !independent.has(path))
    .flatMap((file) => {
      const functions = file.nodes.filter(({ type }) => /Function/.test(type))
      return file.nodes
        .filter(isEmptyCollection)
        .filter((node) => !functions.some((outer) => outer.start <= node.start && node.end <= outer.end))
        .map((node) => at(file, node, `a module keeps state: ${remedy}`))
    })
}

/** Every member of the services is remembered, or listed as one that holds nothing. */
export function servicesAreRemembered({ byPath }: Repository): Finding[] {
  const file = byPath.get('packages/server/src/assembly/services.ts')
  const make = file?.nodes.find((node) => functionName(node) === 'createServices')
  if (!file || !make) return []
  const returned = file.nodes.find((node) => node.type === 'ReturnStatement' && within(node, make))
  const members = isNode(returned?.argument) ? (returned.argument.properties as Node[]) : []
  return members.flatMap((member) => {
    const name = isNode(member.key) ? String(member.key.name) : undefined
    if (name === undefined || transient.has(name)) return []
    const made =
      isNode(member.value) && member.value.type === 'CallExpression' ? dotted(member.value.callee) : undefined
    if (/(^|\.)remember/.test(made ?? '')) return []
    return [at(file, member, `the service ${name} may outlive the history of the database: ${remedy}`)]
  })
}

function remembering(file: Source): Node[] {
  return file.nodes.filter(
    (node) => node.type === 'CallExpression' && /(^|\.)remember$/.test(dotted(node.callee) ?? ''),
  )
}

function isEmptyCollection(node: Node): boolean {
  const name = node.type === 'NewExpression' ? dotted(node.callee) : undefined
  return /^(Weak)?(Map|Set)$/.test(name ?? '') && Array.isArray(node.arguments) && node.arguments.length === 0
}

function functionName(node: Node): string {
  return node.type === 'FunctionDeclaration' && isNode(node.id) ? String(node.id.name) : ''
}

function namesOf(given: unknown): string[] {
  return Array.isArray(given)
    ? given.flatMap((one) => (isNode(one) && one.type === 'Identifier' ? [String(one.name)] : []))
    : []
}

function within(node: Node, outer: Node): boolean {
  return outer.start <= node.start && node.end <= outer.end
}

function programs({ files }: Repository): Source[] {
  return files.filter(({ path }) => {
    const { home, side, isTest } = fileAddress(path)
    return isTypeScript(path) && home === 'server' && side === 'src' && !isTest
  })
}

function at({ path, lineOf }: Source, { start }: Node, message: string): Finding {
  return { path, line: lineOf(start), message }
}
