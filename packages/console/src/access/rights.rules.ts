/** Rights in words, and whether someone has them. Pure; the rights themselves come from the server. */
import { permissionResources, permissionVerbs } from '@bourse/api/kit/permissions.ts'
import type { CreateRoleBody, Permissions, Role } from '@bourse/sdk'

type RolePolicy = Pick<Role, 'policy'>

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

/** What is allowed on a kind of resource: a row of a matrix. */
export type RightRow = { readonly kind: string; readonly verbs: ReadonlySet<string> }

/** What stands for all kinds of resources in a role, and for all verbs. */
const anything = '*'

/** What a role allows, a row for each kind of resource. "Everything" comes first: it also means what is added later. */
export function roleRows({ policy }: RolePolicy): readonly RightRow[] {
  const verbsOf = new Map<string, Set<string>>()
  for (const { actions } of policy.rules) {
    for (const [kind, given = []] of Object.entries(actions)) {
      const verbs: readonly string[] = (given as readonly string[]).includes(anything) ? permissionVerbs : given
      verbsOf.set(kind, new Set([...(verbsOf.get(kind) ?? []), ...verbs]))
    }
  }
  return rowsOf(verbsOf)
}

/** The rights of somebody, a row for each kind of resource. */
export function rightRows(actions: Permissions['account']): readonly RightRow[] {
  return rowsOf(new Map(Object.entries(actions).map(([kind, verbs]) => [kind, new Set<string>(verbs)])))
}

/** In the order of the contract, so that matrices can be compared; without kinds that allow nothing. */
function rowsOf(verbsOf: ReadonlyMap<string, ReadonlySet<string>>): readonly RightRow[] {
  const known: readonly string[] = [anything, ...permissionResources]
  const others = [...verbsOf.keys()].filter((kind) => !known.includes(kind))
  return [...known, ...others].flatMap((kind) => {
    const verbs = verbsOf.get(kind)
    return verbs === undefined || verbs.size === 0 ? [] : [{ kind: kindText(kind), verbs }]
  })
}

/** A kind of resource as people call it. */
export function kindText(kind: string): string {
  return kind === anything ? 'everything' : kind.replaceAll('_', ' ')
}

/** How many of some permissions are chosen. */
export function shareOf(chosen: ReadonlySet<string>, permissions: readonly string[]): 'all' | 'some' | 'none' {
  const count = permissions.filter((one) => chosen.has(one)).length
  return count === 0 ? 'none' : count === permissions.length ? 'all' : 'some'
}

/** Chooses some permissions; where all of them are chosen already, none of them. */
export function toggled(chosen: ReadonlySet<string>, permissions: readonly string[]): ReadonlySet<string> {
  const isAll = shareOf(chosen, permissions) === 'all'
  return new Set(isAll ? [...chosen].filter((one) => !permissions.includes(one)) : [...chosen, ...permissions])
}

/** A cell of a matrix: its row and its column. */
export type MatrixCell = { readonly row: number; readonly column: number }

/** The cell to which a key leads from another one; undefined for other keys and at the edges. */
export function cellAfter(
  key: string,
  { row, column }: MatrixCell,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): MatrixCell | undefined {
  const steps: Readonly<Record<string, MatrixCell>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
    PageUp: { row: 0, column },
    PageDown: { row: rows - 1, column },
  }
  const next = steps[key]
  const isInside = next && next.row >= 0 && next.row < rows && next.column >= 0 && next.column < columns
  return isInside ? next : undefined
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

/** Whether a role says "all" somewhere, which also means what is added later. */
export function hasWildcards({ policy }: RolePolicy): boolean {
  return policy.rules.some(({ actions }) =>
    Object.entries(actions).some(
      ([kind, verbs = []]) => kind === anything || (verbs as readonly string[]).includes(anything),
    ),
  )
}

/** The permissions of a role, such as `order:read`, with "all" written out. */
export function permissionsOf(
  { policy }: RolePolicy,
  all: { readonly kinds: readonly string[]; readonly verbs: readonly string[] },
): ReadonlySet<string> {
  const permissions = policy.rules.flatMap(({ actions }) =>
    Object.entries(actions).flatMap(([kind, given = []]) => {
      const verbs: readonly string[] = (given as readonly string[]).includes(anything) ? all.verbs : given
      return (kind === anything ? all.kinds : [kind]).flatMap((one) => verbs.map((verb) => `${one}:${verb}`))
    }),
  )
  return new Set(permissions)
}
