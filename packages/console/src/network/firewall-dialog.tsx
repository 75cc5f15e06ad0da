/** One firewall: its rules as a table to edit, and in words while they are edited. */
import type { Firewall, FirewallRule } from '@bourse/sdk'
import { shellWord } from '@bourse/text/shell.ts'
import { useState } from 'react'
import { replaceFirewallRules } from '../generated/forms/network.ts'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { useForm } from '../live/forms/use-form.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { say } from '../ui/toasts.tsx'
import { EditFirewall } from './dialogs.tsx'
import { reachOf, ruleOf, type TypedRule, typedOf, warningsOf } from './firewall.rules.ts'
import { Referrers } from './referrers.tsx'
import { RulesTable } from './rules-table.tsx'

type FirewallProps = { firewall: Firewall; onClose: () => void }

/** The dialog. */
export function FirewallDialog({ firewall, onClose }: FirewallProps) {
  const [isEditing, setEditing] = useState(false)
  if (isEditing) return <EditFirewall firewall={firewall} onClose={onClose} />
  return <RulesDialog firewall={firewall} onClose={onClose} onEdit={() => setEditing(true)} />
}

function RulesDialog({ firewall, onClose, onEdit }: FirewallProps & { onEdit: () => void }) {
  const { id, name, is_default } = firewall
  const [typed, setTyped] = useState<readonly TypedRule[]>(
    firewall.rules.map((rule) => typedOf(rule, crypto.randomUUID())),
  )
  const rules = typed.map(ruleOf)
  const isChanged = JSON.stringify(rules.map(plain)) !== JSON.stringify(firewall.rules.map(plain))
  const form = useForm(replaceFirewallRules, {
    params: { id },
    finish: () => ({ rules }),
    nouns: ['firewall'],
    onDone: () => {
      say(`Saved the rules of ${name}. Its instances follow at once.`)
      onClose()
    },
  })
  return (
    <Dialog title={`Firewall ${name}`} isOpen isWide onClose={onClose}>
      <FormFrame
        form={form}
        action="Save the rules"
        isBlocked={!isChanged}
        command={['bourse firewalls replace-rules', id, ...rules.map(flagOf)].join(' ')}
        buttons={is_default ? null : <Button onClick={onEdit}>Name, tags, delete</Button>}
        onClose={onClose}
      >
        <Reach rules={rules} />
        <RulesTable rules={typed} onChange={setTyped} error={form.error} />
        <section>
          <h3>What refers to it</h3>
          <Referrers field="_preview_firewall" id={id} />
        </section>
      </FormFrame>
    </Dialog>
  )
}

/** A rule as the command line takes it. */
function flagOf({ protocol, port_from, port_to, source_cidr }: FirewallRule): string {
  const ports = port_from === undefined ? '' : ` ${port_from}${port_to && port_to !== port_from ? `-${port_to}` : ''}`
  return `--rule ${shellWord(`in ${protocol}${ports} from ${source_cidr}`)}`
}

/** What a rule allows, with the port that the server fills in. */
function plain({ protocol, port_from, port_to = port_from, source_cidr, description }: FirewallRule) {
  return [protocol, port_from, port_to, source_cidr, description]
}

function Reach({ rules }: { rules: readonly FirewallRule[] }) {
  const reach = reachOf(rules)
  const warnings = warningsOf(rules)
  return (
    <section aria-label="Who may reach what">
      <h3>Who may reach what</h3>
      {reach.length === 0 ? <p>Nobody reaches the public address of an instance.</p> : null}
      <ul>
        {reach.map(({ who, what }) => (
          <li key={who}>
            <b>{who}</b> may reach {what.join(', ')}.
          </li>
        ))}
      </ul>
      <p className="quiet small">
        Answers to what an instance itself begins always come in. Everything else from outside is dropped.
      </p>
      {warnings.map((text) => (
        <p key={text} className="warn">
          {text}
        </p>
      ))}
    </section>
  )
}
