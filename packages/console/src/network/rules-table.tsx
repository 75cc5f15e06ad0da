/** The rules of a firewall as rows that are edited in their places. */
import type { FirewallRule } from '@bourse/sdk'
import { Button } from '../ui/button.tsx'
import { messageAbout } from '../ui/field.tsx'
import { emptyRule, type TypedRule } from './firewall.rules.ts'
import styles from './rules-table.module.css'

const rulesMax = 50
const protocols: readonly FirewallRule['protocol'][] = ['tcp', 'udp', 'icmp', 'all']

type RulesProps = {
  rules: readonly TypedRule[]
  onChange: (rules: readonly TypedRule[]) => void
  error: Error | null
}

/** The table. Messages of the server are shown at their rows. */
export function RulesTable({ rules, onChange, error }: RulesProps) {
  const change = (index: number, fields: Partial<TypedRule>) =>
    onChange(rules.map((rule, at) => (at === index ? { ...rule, ...fields } : rule)))
  return (
    <div className={styles.place}>
      <table className={styles.rules} aria-label="Rules">
        <thead>
          <tr>
            <th scope="col">Protocol</th>
            <th scope="col">Port</th>
            <th scope="col">to</th>
            <th scope="col">From</th>
            <th scope="col">Why</th>
            <th scope="col">
              <span className="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule, index) => (
            <RuleRow
              key={rule.key}
              rule={rule}
              number={index + 1}
              message={messageAbout(error, `rules.${index}`)}
              onChange={(fields) => change(index, fields)}
              onRemove={() => onChange(rules.filter((_, at) => at !== index))}
            />
          ))}
        </tbody>
      </table>
      <Button
        disabled={rules.length >= rulesMax}
        onClick={() => onChange([...rules, { ...emptyRule, key: crypto.randomUUID() }])}
      >
        Add a rule
      </Button>
    </div>
  )
}

type RuleProps = {
  rule: TypedRule
  number: number
  message: string | undefined
  onChange: (fields: Partial<TypedRule>) => void
  onRemove: () => void
}

function RuleRow({ rule, number, message, onChange, onRemove }: RuleProps) {
  const hasPorts = rule.protocol === 'tcp' || rule.protocol === 'udp'
  const input = (name: keyof typeof emptyRule, label: string, more: object) => (
    <input
      aria-label={`${label} of rule ${number}`}
      aria-invalid={message ? true : undefined}
      value={rule[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
      {...more}
    />
  )
  const ports = { size: 6, inputMode: 'numeric', disabled: !hasPorts } as const
  return (
    <>
      <tr>
        <td>
          <select
            aria-label={`Protocol of rule ${number}`}
            value={rule.protocol}
            onChange={({ target }) => onChange({ protocol: target.value as TypedRule['protocol'] })}
          >
            {protocols.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </td>
        <td>{input('port_from', 'First port', ports)}</td>
        <td>{input('port_to', 'Last port', { ...ports, placeholder: 'same' })}</td>
        <td>{input('source_cidr', 'Source', { size: 18, maxLength: 18, className: 'mono' })}</td>
        <td>{input('description', 'Reason', { maxLength: 255 })}</td>
        <td>
          <Button kind="plain" aria-label={`Remove rule ${number}`} onClick={onRemove}>
            ✕
          </Button>
        </td>
      </tr>
      {message ? (
        <tr>
          <td colSpan={6} className="bad">
            {message}
          </td>
        </tr>
      ) : null}
    </>
  )
}
