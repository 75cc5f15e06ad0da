/** Who may log in to a new instance: the fields of its form, and what is sent for them. */
import type { FieldParts } from '../live/forms/fields.tsx'
import { problemsOfUserData, withUserData } from './launch.rules.ts'

/** SSH keys and user data. */
export const loginFields = [
  {
    name: 'keys',
    label: 'Further SSH keys',
    hint: 'Your own keys open it: Access, SSH keys. Others here, one a line, become part of the user data.',
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
