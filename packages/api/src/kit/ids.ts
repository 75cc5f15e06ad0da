/** The naming of a kind of resource: the prefix of its ids and, if it has paths, the number of their segments. */
export type KindNaming = { readonly prefix: string; readonly path_segments: 0 | 2 | 3; readonly also_prefix?: string }

/** Every kind that has ids. Accounts are not among them: the id of an account is a chosen slug. */
export const kinds = {
  workspace: { prefix: 'wksp', path_segments: 2 },
  user: { prefix: 'usr', path_segments: 2 },
  role: { prefix: 'role', path_segments: 2 },
  grant: { prefix: 'grnt', path_segments: 0 },
  token: { prefix: 'tokn', path_segments: 0 },
  identity: { prefix: 'idnt', path_segments: 0 },
  passkey: { prefix: 'pkey', path_segments: 0 },
  ssh_key: { prefix: 'sshk', path_segments: 0 },
  instance: { prefix: 'inst', path_segments: 3 },
  pool: { prefix: 'pool', path_segments: 3 },
  procurement: { prefix: 'proc', path_segments: 3 },
  host: { prefix: 'host', path_segments: 3 },
  image: { prefix: 'image', path_segments: 3, also_prefix: 'vmi' },
  instance_template: { prefix: 'itmpl', path_segments: 3 },
  deployment: { prefix: 'depl', path_segments: 3 },
  firewall: { prefix: 'frwl', path_segments: 3 },
  subnet: { prefix: 'snet', path_segments: 3 },
  infiniband_partition: { prefix: 'ibpart', path_segments: 3 },
  sku: { prefix: 'sku', path_segments: 0 },
  order: { prefix: 'ordr', path_segments: 0 },
  fill: { prefix: 'fill', path_segments: 0 },
  pool_transfer: { prefix: 'pxfr', path_segments: 0 },
  event: { prefix: 'evt', path_segments: 0 },
  audit_entry: { prefix: 'audt', path_segments: 0 },
  transaction: { prefix: 'txn', path_segments: 0 },
  hold: { prefix: 'hold', path_segments: 0 },
  pending_credit: { prefix: 'pcrd', path_segments: 0 },
  budget: { prefix: 'bdgt', path_segments: 0 },
  webhook: { prefix: 'whk', path_segments: 0 },
  webhook_delivery: { prefix: 'wdlv', path_segments: 0 },
  host_enrolment: { prefix: 'henr', path_segments: 0 },
  agent_bundle: { prefix: 'abdl', path_segments: 0 },
  agent_rollout: { prefix: 'arol', path_segments: 0 },
  maintenance_window: { prefix: 'mwin', path_segments: 0 },
  sandbox_fault: { prefix: 'flt', path_segments: 0 },
} as const satisfies Record<string, KindNaming>

/** A kind of resource that has ids. */
export type IdKind = keyof typeof kinds
/** A kind of resource that also has a path. */
export type PathKind = { [K in IdKind]: (typeof kinds)[K]['path_segments'] extends 0 ? never : K }[IdKind]
/** The id of a resource of one kind: `frwl_…`. */
export type Id<K extends IdKind> = `${(typeof kinds)[K]['prefix']}_${string}`
/** The path of a resource of one kind: `svc:firewall:<account>:<workspace>:<name>`. */
export type Path<K extends IdKind> = `svc:${K}:${string}`
/** A reference to a resource: an id or a path. */
export type Ref<K extends IdKind> = Id<K> | Path<K>

const idBody = '[0-9a-zA-Z_-]{1,21}'
const segment = '[a-zA-Z0-9._-]+'

/** The pattern of ids of a kind, anchored at both ends. */
export function idPattern(kind: IdKind): string {
  const naming: KindNaming = kinds[kind]
  const prefix = naming.also_prefix ? `(?:${naming.prefix}|${naming.also_prefix})` : naming.prefix
  return `^${prefix}_${idBody}$`
}

/** The pattern of ids or paths of a kind, anchored at both ends. */
export function refPattern(kind: PathKind): string {
  const id = idPattern(kind).slice(1, -1)
  const { path_segments } = kinds[kind]
  return `^(?:${id}|svc:${kind}:${segment}(?::${segment}){${path_segments - 1}})$`
}

/** Whether a reference is a path rather than an id. */
export function isPath<K extends PathKind>(ref: Ref<K>): ref is Path<K> {
  return ref.startsWith('svc:')
}

/** The path of a resource. Account-level kinds take no workspace. */
export function resourcePath<K extends PathKind>(
  kind: K,
  { account_id, workspace, name }: { account_id: string; workspace?: string | undefined; name: string },
): Path<K> {
  const middle = workspace === undefined ? account_id : `${account_id}:${workspace}`
  return `svc:${kind}:${middle}:${name}` as Path<K>
}

/** Splits a path into its segments. Account-level kinds have no workspace. The path must match {@link refPattern}. */
export function parsePath(path: string): { kind: string; account_id: string; workspace?: string; name: string } {
  const [, kind = '', account_id = '', third = '', fourth] = path.split(':')
  return fourth === undefined ? { kind, account_id, name: third } : { kind, account_id, workspace: third, name: fourth }
}
