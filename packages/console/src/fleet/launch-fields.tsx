/** Fields of a new instance: who may log in, and what it is connected to. */

import { Choice } from '../live/forms/choice.tsx'
import { Field } from '../ui/field.tsx'
import { useNetworks } from './choices.ts'
import type { LaunchDraft } from './launch.rules.ts'

/** What the parts of the form are given. */
export type LaunchFieldsProps = {
  draft: LaunchDraft
  onChange: (change: Partial<LaunchDraft>) => void
  error: Error | null
  problemOf: (name: keyof LaunchDraft) => string | undefined
}

type LoginProps = Omit<LaunchFieldsProps, 'draft' | 'onChange'> & {
  draft: Pick<LaunchDraft, 'keys' | 'user_data'>
  onChange: (change: Partial<Pick<LaunchDraft, 'keys' | 'user_data'>>) => void
}

/** SSH keys and user data. */
export function LoginFields({ draft, onChange, error, problemOf }: LoginProps) {
  return (
    <>
      <Field
        label="Further SSH keys"
        wrong={problemOf('keys')}
        hint="Your own keys open it: Access, SSH keys. Others here, one a line, become part of the user data."
      >
        <textarea
          rows={2}
          value={draft.keys}
          onChange={({ target }) => onChange({ keys: target.value })}
          spellCheck={false}
          placeholder="ssh-ed25519 AAAA… you@laptop"
        />
      </Field>
      <Field
        label="User data"
        name="cloud_init_user_data"
        error={error}
        wrong={problemOf('user_data')}
        hint="For cloud-init: #cloud-config, or a script that begins with #!. It is not kept in this browser."
      >
        <textarea
          rows={4}
          value={draft.user_data}
          onChange={({ target }) => onChange({ user_data: target.value })}
          spellCheck={false}
        />
      </Field>
    </>
  )
}

const priorities = ['yield', 'normal', 'preferred', 'critical'].map((id) => ({ id, name: id }))

/** Tags, priority and network: most instances need none of them. */
export function MoreFields({ draft, onChange, error, problemOf }: LaunchFieldsProps) {
  const { subnets, firewalls, partitions } = useNetworks()
  return (
    <details>
      <summary>Tags, priority and network</summary>
      <div className="grid">
        <Field label="Tags" name="tags" error={error} wrong={problemOf('tags')} hint="key=value, by commas or lines.">
          <input value={draft.tags} onChange={({ target }) => onChange({ tags: target.value })} autoComplete="off" />
        </Field>
        <Field
          label="Priority"
          name="priority_level"
          error={error}
          hint="Lower levels end first when allocation falls."
        >
          <Choice
            value={draft.priority}
            onChange={(priority) => onChange({ priority })}
            options={priorities}
            empty="Default (normal)"
          />
        </Field>
        <Field label="Subnet" name="subnet" error={error} hint="None: isolated from all others.">
          <Choice value={draft.subnet} onChange={(subnet) => onChange({ subnet })} options={subnets} empty="None" />
        </Field>
        <Field
          label="Public address"
          name="_preview_enable_public_ipv4"
          error={error}
          hint="Without one, only SSH comes in, through the host."
        >
          <input
            type="checkbox"
            checked={draft.has_public_ip}
            onChange={({ target }) => onChange({ has_public_ip: target.checked })}
          />
        </Field>
        {draft.has_public_ip ? (
          <Field label="Firewall" name="_preview_firewall" error={error}>
            <Choice
              value={draft.firewall}
              onChange={(firewall) => onChange({ firewall })}
              options={firewalls}
              empty="That of the workspace"
            />
          </Field>
        ) : null}
        <Field label="InfiniBand partition" name="_preview_infiniband_partition" error={error}>
          <Choice
            value={draft.partition}
            onChange={(partition) => onChange({ partition })}
            options={partitions}
            empty="None"
          />
        </Field>
      </div>
    </details>
  )
}
