/** The providers of OpenID Connect that the operator configures (docs/guides/sign-in.md, "The file"). */
import { builtInRoles } from '@bourse/api/iam/built-in-roles.ts'
import { providerName } from '@bourse/api/iam/identities.ts'
import type { ErrorDetail } from '@bourse/api/kit/errors.ts'
import { type Ref, refPattern } from '@bourse/api/kit/ids.ts'
import { isLoopbackHost } from '@bourse/api/kit/loopback.ts'
import { accountId, array, boolean, object, optional, type Static, text } from '@bourse/api/kit/schema.ts'

/** The role of a group: for the whole account, or in a workspace. */
export type GroupSetting = { readonly role: Ref<'role'>; readonly workspace: Ref<'workspace'> | undefined }

/** A provider, without its secret. */
export type ProviderFacts = {
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret_file: string | undefined
  /** Whose users it signs in. */
  readonly account: string
  readonly scopes: readonly string[]
  readonly auto_provision: boolean
  /** Whether the sign-in page shows it to everybody. */
  readonly listed: boolean
  readonly default_role: Ref<'role'> | undefined
  readonly group_claim: string | undefined
  readonly group_roles: ReadonlyMap<string, GroupSetting>
}

/** A provider, ready for use. */
export type SignInProvider = ProviderFacts & { readonly client_secret: string | undefined }

/**
 * The providers that the sign-in page shows: those that are listed, the one that its address names, and those of the
 * account of who is signed in.
 */
export function shownProviders<T extends Pick<ProviderFacts, 'name' | 'account' | 'listed'>>(
  all: readonly T[],
  { named, account_id }: { readonly named: string | undefined; readonly account_id: string | undefined },
): readonly T[] {
  return all.filter(({ name, account, listed }) => listed || name === named || account === account_id)
}

/** What a file says, or what is wrong with it: one sentence. */
type SettingsOutcome = { readonly providers: readonly ProviderFacts[] } | { readonly problem: string }

const providersMax = 20
const groupsMax = 200

const rolePattern = refPattern('role')
const workspacePattern = refPattern('workspace')
/** The schema of a provider, without its groups. */
export const entry = object({
  name: providerName,
  issuer: text({ min: 1, max: 2048 }),
  client_id: text({ min: 1, max: 255 }),
  client_secret_file: optional(text({ min: 1, max: 4096 })),
  account: accountId(),
  scopes: optional(array(text({ min: 1, max: 128, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }), { max: 20 })),
  auto_provision: optional(boolean()),
  listed: optional(boolean()),
  default_role: optional(text({ min: 1, max: 255 })),
  group_claim: optional(text({ min: 1, max: 255 })),
})
type ProviderEntry = Static<typeof entry>

/** What is wrong with a value, by the schema {@link entry}. */
type CheckEntry = (value: unknown) => readonly ErrorDetail[] | undefined

/** Reads the text of the file. */
export function readProviderSettings(json: string, check: CheckEntry): SettingsOutcome {
  let document: unknown
  try {
    document = JSON.parse(json)
  } catch (error) {
    return { problem: `It is not JSON: ${(error as Error).message}.` }
  }
  const entries = isObject(document) && Object.keys(document).join() === 'providers' ? document.providers : undefined
  if (!Array.isArray(entries)) return { problem: 'It must be an object with the member `providers`, a list.' }
  if (entries.length > providersMax) return { problem: `It has more than ${providersMax} providers.` }
  const providers: ProviderFacts[] = []
  for (const [index, one] of entries.entries()) {
    const where = isObject(one) && typeof one.name === 'string' ? `The provider ${one.name}` : `Provider ${index + 1}`
    const read = readOne(one, check)
    if ('problem' in read) return { problem: `${where}: ${read.problem}` }
    if (providers.some(({ name }) => name === read.name))
      return { problem: `Two providers have the name ${read.name}.` }
    providers.push(read)
  }
  return { providers }
}

function readOne(one: unknown, check: CheckEntry): ProviderFacts | { problem: string } {
  if (!isObject(one)) return { problem: 'it must be an object.' }
  const { group_roles = {}, ...rest } = one
  const [wrong] = check(rest) ?? []
  if (wrong) return { problem: `${wrong.field}: ${wrong.message}` }
  const {
    default_role,
    group_claim,
    scopes = [],
    auto_provision = false,
    listed = true,
    ...facts
  } = rest as ProviderEntry
  const problem = problemOfIssuer(facts.issuer) ?? (default_role && problemOfRole(default_role, 'default_role'))
  if (problem) return { problem }
  const groups = readGroups(group_roles)
  if ('problem' in groups) return groups
  if (groups.size > 0 && group_claim === undefined) return { problem: 'group_roles needs group_claim.' }
  return {
    ...facts,
    client_secret_file: facts.client_secret_file,
    auto_provision,
    listed,
    group_claim,
    default_role: default_role === undefined ? undefined : roleRef(default_role),
    scopes: [...new Set(['openid', ...(scopes.length > 0 ? scopes : ['email', 'profile'])])],
    group_roles: groups,
  }
}

function problemOfIssuer(issuer: string): string | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) {
    return 'issuer must be an https URL without query.'
  }
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return undefined
  return 'issuer is an http URL of another machine, so anybody on the way could sign in as any user. Use https.'
}

type Groups = Map<string, GroupSetting>

function readGroups(value: unknown): Groups | { problem: string } {
  if (!isObject(value)) return { problem: 'group_roles must be an object: {"group": ["role", "workspace"]}.' }
  const found: Groups = new Map()
  for (const [group, given] of Object.entries(value)) {
    const [role, workspace, ...others] = Array.isArray(given) ? (given as unknown[]) : []
    if (typeof role !== 'string' || others.length > 0 || !(workspace === undefined || typeof workspace === 'string')) {
      return { problem: `group_roles.${group} must be a list of a role and, for less than the account, a workspace.` }
    }
    const problem = problemOfRole(role, `group_roles.${group}`)
    if (problem) return { problem }
    if (workspace !== undefined && !new RegExp(workspacePattern).test(workspace)) {
      return { problem: `group_roles.${group}: ${workspace} is no id or path of a workspace.` }
    }
    found.set(group, { role: roleRef(role), workspace: workspace as Ref<'workspace'> | undefined })
  }
  return found.size > groupsMax ? { problem: `group_roles has more than ${groupsMax} groups.` } : found
}

const builtIn = new Map<string, Ref<'role'>>(
  Object.entries(builtInRoles).flatMap(([name, { id }]) => [[name, id] as const, [id, id] as const]),
)
/** Ids of custom roles have a time and a random part; shorter ones are misspelt built-in roles. */
const customIdLength = 'role_'.length + 21

function problemOfRole(role: string, field: string): string | undefined {
  if (builtIn.has(role)) return undefined
  const isCustom = new RegExp(rolePattern).test(role) && (role.startsWith('svc:') || role.length === customIdLength)
  if (isCustom) return undefined
  return `${field}: there is no role ${role}. Use ${Object.keys(builtInRoles).join(', ')}, or the id or path of a role.`
}

function roleRef(role: string): Ref<'role'> {
  return builtIn.get(role) ?? (role as Ref<'role'>)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
