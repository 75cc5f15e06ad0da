/** Who may log in to a new instance: the fields of its form, and what is sent for them. */
import type { FieldParts } from '../live/forms/fields.tsx'
import { withKeys } from './keys.rules.ts'
import { problemsOfUserData, withUserData } from './launch.rules.ts'

/** User data, and keys in it that the account does not know. */
export const loginFields = [
  {
    name: 'keys',
    label: 'Keys that are not in the account',
    hint: 'One a line. They become part of the user data, and stay when a person leaves.',
    placeholder: 'ssh-ed25519 AAAA… you@laptop',
    rows: 2,
  },
  {
    name: 'cloud_init_user_data',
    hint: 'For cloud-init: #cloud-config, or a script that begins with #!. It is not kept in this browser.',
    rows: 4,
  },
] as const satisfies FieldParts<'keys' | 'cloud_init_user_data'>

/** What a form with these fields is told. */
export const loginOptions = { extras: { keys: '' }, check: problemsOfUserData, finish: withUserData }

type LaunchTexts = Parameters<typeof withUserData>[1] & { readonly ssh_keys?: string }

/** The same for a form that also chooses keys of the account. */
export const launchOptions = {
  ...loginOptions,
  finish: (body: object, typed: LaunchTexts) => withKeys(withUserData(body, typed), typed.ssh_keys ?? ''),
}
