/** The SSH keys of a new machine: those of who creates it, and others of the account. */
import type { SshKey } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useAll } from '../live/all.ts'
import { useAccount } from '../live/clock.ts'
import { messageAbout } from '../ui/field.tsx'
import styles from './fleet.module.css'
import { chosenKeys, keysText } from './keys.rules.ts'

type KeysProps = {
  value: string
  onChange: (text: string) => void
  error: Error | null
  /** Whether something else lets a person in: user data, or keys in it. */
  hasOtherWay: boolean
}

/** The boxes. Without any key it says what that means. */
export function KeysField({ value, onChange, error, hasOtherWay }: KeysProps) {
  const { data: account } = useAccount()
  const { data: keys } = useAll('list_ssh_keys', {})
  const owner = account?.user?.id ?? account?.token.id ?? ''
  if (!keys) return null
  const chosen = chosenKeys(value, keys, owner)
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange(keysText(next, keys, owner))
  }
  const boxes = (isOwn: boolean) =>
    keys
      .filter((key) => (key.owner.id === owner) === isOwn)
      .map((key) => <KeyBox key={key.id} sshKey={key} isChosen={chosen.has(key.id)} onToggle={() => toggle(key.id)} />)
  const [own, others] = [boxes(true), boxes(false)]
  const wrong = messageAbout(error, 'ssh_keys')
  return (
    <fieldset className={styles.keys}>
      <legend>SSH keys</legend>
      {own}
      {own.length === 0 ? <AddOwn hasOtherWay={hasOtherWay} /> : null}
      {others.length === 0 ? null : (
        <details>
          <summary>Keys of others in the account</summary>
          {others}
        </details>
      )}
      {wrong ? <p className="bad small">{wrong}</p> : null}
      {own.length > 0 && chosen.size === 0 && !hasOtherWay ? (
        <p className="warn small">Without a key and without user data nobody can enter a machine of a public image.</p>
      ) : null}
    </fieldset>
  )
}

function AddOwn({ hasOtherWay }: { hasOtherWay: boolean }) {
  return (
    <p className={hasOtherWay ? 'quiet small' : 'warn small'}>
      You have no key yet.{' '}
      {hasOtherWay ? '' : 'Without one, and without user data, nobody can enter a machine of a public image. '}
      <Link to="/access" search={{ tab: 'ssh-keys', create: '1' }}>
        Add your key
      </Link>
      : what you fill in here stays.
    </p>
  )
}

type KeyBoxProps = { sshKey: SshKey; isChosen: boolean; onToggle: () => void }

function KeyBox({ sshKey: { name, owner, fingerprint }, isChosen, onToggle }: KeyBoxProps) {
  return (
    <label className={styles.key} title={fingerprint}>
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span>
        <bdi>{name}</bdi> <span className="quiet small">of {owner.name}</span>
      </span>
    </label>
  )
}
