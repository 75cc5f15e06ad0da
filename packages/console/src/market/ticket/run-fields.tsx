/** An instance that starts on what is bought: its image, its name, and who may log in. */
import type { SshKey } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useAll } from '../../live/all.ts'
import { useAccount } from '../../live/clock.ts'
import { Choice } from '../../live/forms/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { keysOf, withKey } from './launch.rules.ts'
import styles from './ticket.module.css'
import { isRun } from './ticket.rules.ts'
import { Switch, type TicketFieldsProps } from './ticket-fields.tsx'

/** The box, and what it asks for. Nothing where nothing is bought. */
export function RunFields({ ticket, change, problems, images }: TicketFieldsProps) {
  if (ticket.side !== 'buy' || ticket.amends !== '') return null
  return (
    <div className={styles.run}>
      <Switch
        label="Start an instance on it"
        text={`${ticket.nodes === '1' ? 'One' : 'One on each node'}, in the same step: a node is bought with its
          instance, or neither.`}
        value={ticket.run}
        onChange={(run) => change({ run })}
      />
      {isRun(ticket) ? (
        <div className={styles.fields}>
          <Field label="Image" wrong={problems.image}>
            <Choice
              value={ticket.image}
              onChange={(image) => change({ image })}
              options={images}
              empty="Choose an image"
            />
          </Field>
          <Field label="Name" hint={ticket.nodes === '1' ? undefined : '-1, -2 and so on follow it.'}>
            <input
              value={ticket.name}
              maxLength={200}
              placeholder="One is made"
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => change({ name: target.value.trim() })}
            />
          </Field>
          <KeyFields value={ticket.keys} onChange={(keys) => change({ keys })} />
        </div>
      ) : null}
    </div>
  )
}

/** The own SSH keys. */
export function useOwnKeys(enabled: boolean): readonly SshKey[] | undefined {
  const { data: account } = useAccount()
  const owner = account?.user?.id ?? account?.token.id
  return useAll('list_ssh_keys', { owner }, { enabled: enabled && owner !== undefined }).data
}

function KeyFields({ value, onChange }: { value: string; onChange: (keys: string) => void }) {
  const keys = useOwnKeys(true)
  if (keys === undefined) return null
  if (keys.length === 0) {
    return (
      <p className={styles.whole}>
        You have no SSH key here, so nobody could log in:{' '}
        <Link to="/access" search={{ tab: 'ssh-keys', create: '1' }}>
          add one
        </Link>{' '}
        first.
      </p>
    )
  }
  const ids = keys.map(({ id }) => id)
  const chosen = keysOf(value, ids)
  return (
    <fieldset className={styles.keys}>
      <legend>SSH keys</legend>
      {keys.map(({ id, name, fingerprint }) => (
        <label key={id} title={fingerprint}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ target }) => onChange(withKey(chosen, { id, isOn: target.checked, all: ids }))}
          />
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}
