/** One firewall: its rules as a table to edit, and in words while they are edited. */
import type { Firewall, FirewallRule } from '@bourse/sdk'
import { shellWord } from '@bourse/text/shell.ts'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { asCurl, asSdk } from '../ui/requests.rules.ts'
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
  const save = useAction(() => client.firewalls.replaceRules(id, { rules: [...rules] }), {
    nouns: ['firewall'],
    onDone: () => {
      say(`Saved the rules of ${name}. Its instances follow at once.`)
      onClose()
    },
  })
  return (
    <Dialog title={`Firewall ${name}`} isOpen isWide onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.run(undefined)
        }}
      >
        <Reach rules={rules} />
        <RulesTable rules={typed} onChange={setTyped} error={save.error} />
        <section>
          <h3>What refers to it</h3>
          <Referrers field="_preview_firewall" id={id} />
        </section>
        <CodeLines
          ways={{
            CLI: ['bourse firewalls replace-rules', id, ...rules.map(flagOf)].join(' '),
            curl: asCurl(
              { method: 'PUT', path: `/preview/v2/firewalls/${id}/rules`, body: { rules } },
              location.origin,
            ),
            SDK: `${asSdk('firewalls.replaceRules', id).slice(0, -1)}, ${JSON.stringify({ rules })})`,
          }}
        />
        <ErrorText error={save.error} />
        <DialogActions>
          {is_default ? null : <Button onClick={onEdit}>Name, tags, delete</Button>}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isRunning} disabled={!isChanged}>
            Save the rules
          </Button>
        </DialogActions>
      </form>
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
