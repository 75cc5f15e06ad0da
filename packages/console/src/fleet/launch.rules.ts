/** What a form about a new instance says, as the fields of a request. Pure. */
import { base64Of } from '@bourse/text/base64.ts'
import { tagsOf } from '../live/tags.rules.ts'

/** The values of the form, as they are typed. */
export type LaunchDraft = {
  readonly pool: string
  readonly sku: string
  readonly image: string
  readonly template: string
  readonly name: string
  readonly user_data: string
  readonly keys: string
  readonly tags: string
  readonly priority: string
  readonly subnet: string
  readonly has_public_ip: boolean
  readonly firewall: string
  readonly partition: string
}

/** A form without values. */
export const emptyLaunch: LaunchDraft = {
  pool: '',
  sku: '',
  image: '',
  template: '',
  name: '',
  user_data: '',
  keys: '',
  tags: '',
  priority: '',
  subnet: '',
  has_public_ip: false,
  firewall: '',
  partition: '',
}

const publicKey = /^(?:ssh-[a-z0-9-]+|ecdsa-sha2-[a-z0-9-]+|sk-[a-z0-9-]+@openssh\.com) [A-Za-z0-9+/]+={0,2}(?: .*)?$/

/** User data with SSH keys that may log in. `wrong` names the field and says what is wrong with it. */
export type UserData = { readonly text: string } | { readonly wrong: 'keys' | 'user_data'; readonly message: string }

/**
 * The user data of a machine from what was typed and the public keys, one a line. Keys are joined to a cloud-config; a
 * script and the keys become the two parts of an archive, which cloud-init reads both.
 */
export function userDataOf(typed: string, keys: string): UserData {
  const lines = keys
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const bad = lines.find((line) => !publicKey.test(line))
  if (bad?.includes('PRIVATE KEY')) {
    return { wrong: 'keys', message: 'This is a private key. It stays with you: paste the file that ends in .pub.' }
  }
  if (bad) return { wrong: 'keys', message: `“${bad.slice(0, 40)}” is not a public key of OpenSSH.` }
  const own = typed.trim() === '' ? '' : withLineEnd(typed)
  if (lines.length === 0) return { text: own }
  const block = ['ssh_authorized_keys:', ...lines.map((line) => `  - ${JSON.stringify(line)}`), ''].join('\n')
  if (own === '') return { text: `#cloud-config\n${block}` }
  if (own.startsWith('#cloud-config\n')) {
    if (!/^ssh_authorized_keys:/m.test(own)) return { text: own + block }
    return { wrong: 'keys', message: 'The user data names ssh_authorized_keys already: add the keys there.' }
  }
  if (!own.startsWith('#!')) {
    return { wrong: 'user_data', message: 'To add keys, the user data has to begin with #cloud-config or #!.' }
  }
  const parts = [
    ['text/cloud-config', `#cloud-config\n${block}`],
    ['text/x-shellscript', own],
  ] as const
  return { text: `#cloud-config-archive\n${parts.map(archived).join('')}` }
}

function archived([type, content]: readonly [string, string]): string {
  const indented = content.replaceAll(/^(?=.)/gm, '    ')
  return `- type: ${type}\n  content: |2\n${indented}`
}

function withLineEnd(text: string): string {
  const unix = text.replaceAll(/\r\n?/g, '\n')
  return unix.endsWith('\n') ? unix : `${unix}\n`
}

/** The text of bytes in base64. */
export function fromBase64(data: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)))
}

/** The body of a launch, or what is wrong with a field of the form. */
export type LaunchRequest =
  | { readonly body: Record<string, unknown>; readonly user_data: string }
  | { readonly wrong: keyof LaunchDraft; readonly message: string }

/** The request of a form. Empty fields are left out; what is missing is told by the first field that misses it. */
export function launchRequest(draft: LaunchDraft): LaunchRequest {
  const missing = (['pool', 'sku', 'image'] as const).find((name) => draft[name] === '')
  if (missing) return { wrong: missing, message: `Choose ${missing === 'sku' ? 'a SKU' : `${a(missing)}`}.` }
  const tags = tagsOf(draft.tags)
  if (typeof tags === 'string') return { wrong: 'tags', message: tags }
  const data = userDataOf(draft.user_data, draft.keys)
  if ('wrong' in data) return data
  const isPublic = draft.has_public_ip
  const body = {
    pool: draft.pool,
    sku: draft.sku,
    image: draft.image,
    ...given('name', draft.name.trim()),
    ...given('cloud_init_user_data', data.text === '' ? '' : base64Of(data.text)),
    ...(Object.keys(tags).length > 0 ? { tags } : {}),
    ...given('priority_level', draft.priority),
    ...given('subnet', draft.subnet),
    ...(isPublic ? { _preview_enable_public_ipv4: true } : {}),
    ...(isPublic ? given('_preview_firewall', draft.firewall) : {}),
    ...given('_preview_infiniband_partition', draft.partition),
  }
  return { body, user_data: data.text }
}

function a(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

function given(name: string, value: string): Record<string, string> {
  return value === '' ? {} : { [name]: value }
}

/** The query of the list's filter by tag: a key, or a key with its value. */
export function tagFilter(typed: string): { tag?: string; tag_key?: string } {
  const text = typed.trim()
  if (text === '') return {}
  return /^[^=]+=./.test(text) ? { tag: text } : { tag_key: text.replace(/=$/, '') }
}

/** What is typed as the list's filter by name: a part of the name, unless asterisks say which part. */
export function nameFilter(typed: string): { name?: string } {
  if (typed === '') return {}
  return { name: typed.includes('*') ? typed : `*${typed}*` }
}
