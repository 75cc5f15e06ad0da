/** User data and SSH keys of a new instance as a form sends them. Pure. */
import { base64Of } from '@bourse/text/base64.ts'

const publicKey = /^(?:ssh-[a-z0-9-]+|ecdsa-sha2-[a-z0-9-]+|sk-[a-z0-9-]+@openssh\.com) [A-Za-z0-9+/]+={0,2}(?: .*)?$/

/** User data with SSH keys that may log in. `wrong` names the field and says what is wrong with it. */
export type UserData = { readonly text: string } | { readonly wrong: keyof LoginTexts; readonly message: string }

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
    return {
      wrong: 'cloud_init_user_data',
      message: 'To add keys, the user data has to begin with #cloud-config or #!.',
    }
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

type LoginTexts = Readonly<Partial<Record<'cloud_init_user_data' | 'keys', string | undefined>>>

function userDataIn({ cloud_init_user_data = '', keys = '' }: LoginTexts): UserData {
  return userDataOf(cloud_init_user_data, keys)
}

/** The user data of what was typed in a form; empty where that is wrong. */
export function userDataText(typed: LoginTexts): string {
  const data = userDataIn(typed)
  return 'text' in data ? data.text : ''
}

/** What is wrong with it, by field. */
export function problemsOfUserData(typed: LoginTexts): Readonly<Record<string, string>> {
  const data = userDataIn(typed)
  return 'wrong' in data ? { [data.wrong]: data.message } : {}
}

/** The body of a form with its user data as it is sent. */
export function withUserData({ cloud_init_user_data: _, ...body }: object & LoginTexts, typed: LoginTexts): object {
  const text = userDataText(typed)
  return text === '' ? body : { ...body, cloud_init_user_data: base64Of(text) }
}
