/** Rights in words, and whether someone has them. Pure; the rights themselves come from the server. */
import type { CreateRoleBody, Permissions, Role } from '@bourse/sdk'

/** What someone may want to do, by the permission that it needs. */
export const operations: Readonly<Record<string, string>> = {
  'order:create': 'place orders',
  'order:delete': 'cancel orders',
  'order:read': 'see orders',
  'procurement:create': 'let procurements buy',
  'pool:create': 'create pools',
  'pool_transfer:create': 'move capacity to another account',
  'instance:create': 'start instances',
  'instance:write': 'change instances',
  'instance:delete': 'terminate instances',
  'instance:read': 'see instances and their console',
  'secret:read': 'read user data of cloud-init',
  'deployment:create': 'create deployments',
  'deployment:write': 'change deployments',
  'image:create': 'upload images',
  'image:write': 'revoke images',
  'firewall:write': 'change firewalls',
  'subnet:create': 'create subnets',
  'host:create': 'enrol hosts',
  'billing:read': 'see the balance',
  'billing:list': 'see the ledger and usage',
  'billing:write': 'change budgets',
  'webhook:write': 'change webhooks',
  'event:list': 'read events',
  'token:create': 'create tokens',
  'token:delete': 'end tokens',
  'user:create': 'add people',
  'user:write': 'make sign-in links',
  'grant:create': 'give roles',
  'grant:delete': 'take roles away',
  'role:create': 'create roles',
  'workspace:create': 'create workspaces',
}

/** Whether the rights contain a permission: in a workspace, or (null) for the whole account. */
export function mayDo(rights: Permissions, permission: string, workspace: string | null): boolean {
  const [resource = '', verb = ''] = permission.split(':')
  const place = rights.workspaces.find((one) => one.workspace.id === workspace)
  // The rights in a workspace include those for the whole account.
  const verbs: readonly string[] = (workspace === null ? rights.account : place?.actions)?.[resource] ?? []
  return verbs.includes(verb)
}

/** Whether somebody may do nothing at all. */
export function hasNoRight({ account, workspaces }: Permissions): boolean {
  return [account, ...workspaces.map(({ actions }) => actions)].every((actions) =>
    Object.values(actions).every((verbs) => verbs.length === 0),
  )
}

/** A question with its answer: "ada may cancel orders in research". */
export function verdictText(who: string, isAllowed: boolean, operation: string, where: string): string {
  return `${isAllowed ? 'Yes' : 'No'}: ${who} may ${isAllowed ? '' : 'not '}${operation} ${where}.`
}

/** The permission that a refusal names, as `token:create`. */
export function missingRight(message: string): string | undefined {
  return /\b([a-z_]+:(?:create|read|list|write|delete))\b/.exec(message)?.[1]
}

/** What a role allows, one line for each kind of resource. */
export function roleLines({ policy }: Pick<Role, 'policy'>): readonly string[] {
  return policy.rules.flatMap(({ actions }) =>
    Object.entries(actions).map(([kind, verbs = []]) => {
      const resource = kind === '*' ? 'everything' : kind.replaceAll('_', ' ')
      return `${resource}: ${verbs.includes('*') ? 'all' : verbs.join(', ')}`
    }),
  )
}

/** Rights as rows: each kind of resource with the verbs on it. */
export function rightRows(actions: Permissions['account']): readonly { kind: string; verbs: string }[] {
  return Object.entries(actions)
    .filter(([, verbs]) => verbs.length > 0)
    .map(([kind, verbs]) => ({ kind: kind.replaceAll('_', ' '), verbs: verbs.length === 5 ? 'all' : verbs.join(', ') }))
}

/** A token as lines of a shell. */
export function envSnippet(token: string, origin: string): string {
  return `export BOURSE_BASE_URL=${origin}\nexport BOURSE_API_TOKEN=${token}\n`
}

/** What a browser says of itself, as people call it. Unknown ones are shown as they are. */
export function deviceText(device: string | null): string {
  if (device === null) return '–'
  const system = /Windows|Macintosh|Android|iPhone|iPad|Linux/.exec(device)?.[0]
  const browser = [/Edg\//, /OPR\//, /Firefox\//, /Chrome\//, /Safari\//].find((one) => one.test(device))
  if (!device.startsWith('Mozilla/') || !browser) return device
  const names: Readonly<Record<string, string>> = {
    Edg: 'Edge',
    OPR: 'Opera',
    Firefox: 'Firefox',
    Chrome: 'Chrome',
    Safari: 'Safari',
  }
  const name = names[browser.source.replace(/\\?\/$/, '')] ?? 'A browser'
  return system ? `${name} on ${system === 'Macintosh' ? 'macOS' : system}` : name
}

/** The policy of a role from permissions such as `order:read`. */
export function policyOf(permissions: Iterable<string>, description: string): CreateRoleBody['policy'] {
  const actions: Record<string, string[]> = {}
  for (const permission of permissions) {
    const [kind = '', verb = ''] = permission.split(':')
    actions[kind] = [...(actions[kind] ?? []), verb]
  }
  const rule = { effect: 'allow', actions } as CreateRoleBody['policy']['rules'][number]
  return { api_version: 'roles/v1', ...(description === '' ? {} : { description }), rules: [rule] }
}

type RolePolicy = Pick<Role, 'policy'>

/** Whether a role says "all" somewhere, which also means what is added later. */
export function hasWildcards({ policy }: RolePolicy): boolean {
  return policy.rules.some(({ actions }) =>
    Object.entries(actions).some(([kind, verbs = []]) => kind === '*' || (verbs as readonly string[]).includes('*')),
  )
}

/** The permissions of a role, such as `order:read`, with "all" written out. */
export function permissionsOf(
  { policy }: RolePolicy,
  all: { readonly kinds: readonly string[]; readonly verbs: readonly string[] },
): ReadonlySet<string> {
  const permissions = policy.rules.flatMap(({ actions }) =>
    Object.entries(actions).flatMap(([kind, given = []]) => {
      const verbs: readonly string[] = (given as readonly string[]).includes('*') ? all.verbs : given
      return (kind === '*' ? all.kinds : [kind]).flatMap((one) => verbs.map((verb) => `${one}:${verb}`))
    }),
  )
  return new Set(permissions)
}
