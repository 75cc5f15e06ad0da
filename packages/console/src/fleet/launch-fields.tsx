/** The fields of what a new machine is given, which forms of instances and of templates share. */
import { Fields } from '../live/forms/fields.tsx'
import type { LiveForm } from '../live/forms/use-form.ts'
import styles from './fleet.module.css'
import { KeysField } from './keys-field.tsx'
import { userDataText } from './launch.rules.ts'
import { loginFields } from './login-fields.ts'

const others = [
  'tags',
  'priority_level',
  { name: 'subnet', hint: 'None: isolated from all others.' },
  '_preview_enable_public_ipv4',
  { name: '_preview_firewall', empty: 'That of the workspace' },
  '_preview_infiniband_partition',
] as const

type OtherName =
  | 'tags'
  | 'priority_level'
  | 'subnet'
  | '_preview_enable_public_ipv4'
  | '_preview_firewall'
  | '_preview_infiniband_partition'

/** A firewall is of a public address. */
export function launchParts({ _preview_enable_public_ipv4: isPublic }: Readonly<Record<string, string>>) {
  return isPublic === 'true' ? {} : ({ _preview_firewall: 'omitted' } as const)
}

/** SSH keys, user data, tags, priority and network. What few need is folded away. */
export function LaunchFields({ form }: { form: LiveForm<'ssh_keys' | 'keys' | 'cloud_init_user_data' | OtherName> }) {
  return (
    <>
      <KeysField
        value={form.typed.ssh_keys}
        onChange={(ssh_keys) => form.set({ ssh_keys })}
        error={form.error}
        hasOtherWay={userDataText(form.typed) !== ''}
      />
      <details className={styles.folded}>
        <summary>User data, and keys that are not in the account</summary>
        <div className="stack">
          <Fields of={form} names={loginFields} />
        </div>
      </details>
      <details className={styles.folded}>
        <summary>Tags, priority and network</summary>
        <div className="grid">
          <Fields of={form} names={others} />
        </div>
      </details>
    </>
  )
}
