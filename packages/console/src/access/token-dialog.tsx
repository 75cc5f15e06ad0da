/** Creates a token and shows it once. */
import type { CreatedToken, CreateTokenBody, RoleRef, WorkspaceRef } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useDraft } from '../live/drafts/use-draft.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { asCli } from '../ui/requests.rules.ts'
import { Moment } from '../ui/values.tsx'
import { RoleField, useRoles, WorkspaceField } from './principals.tsx'
import { Refusal } from './refusal.tsx'
import { envSnippet } from './rights.rules.ts'
import { LimitFields } from './token-limit-fields.tsx'
import { limitFlags, limitsOf, type TokenLimits } from './token-limits.rules.ts'

const lives: Readonly<Record<string, string>> = {
  '1': '1 day',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  '365': '1 year',
  never: 'never',
}

const noLimits: TokenLimits = { networks: '', resources: '' }
const emptyToken = { name: '', role: 'role_viewer', workspace: '', days: '90', limits: noLimits }

/** The dialog. The secret is forgotten when it closes. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<CreatedToken>()
  return (
    <Dialog title={made ? `Token ${made.name}` : 'Create a token'} isOpen onClose={onClose}>
      {made ? <Secret token={made} onClose={onClose} /> : <TokenForm onMade={setMade} onClose={onClose} />}
    </Dialog>
  )
}

function TokenForm({ onMade, onClose }: { onMade: (token: CreatedToken) => void; onClose: () => void }) {
  // It needs a recent sign-in: whoever comes back from one finds it as it was.
  const [fields, setFields, clear] = useDraft('create-token', emptyToken)
  const { name, role, workspace, days, limits } = fields
  const set = (change: Partial<typeof emptyToken>) => setFields({ ...fields, ...change })
  const now = useNow()
  const create = useAction((body: CreateTokenBody) => client.tokens.create(body), {
    nouns: ['token'],
    onDone: (token) => {
      clear()
      onMade(token)
    },
  })
  const roleName = useRoles().data?.find(({ id }) => id === role)?.name ?? role
  const submit = () =>
    create.run({
      ...(name === '' ? {} : { name }),
      ...(workspace === '' ? {} : { workspace: workspace as WorkspaceRef }),
      roles: [role as RoleRef],
      expires_at: days === 'never' ? null : now + Number(days) * 86_400,
      ...limitsOf(limits),
    })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label="Name" name="name" error={create.error} hint="What uses it. Empty: the server chooses one.">
        <input value={name} maxLength={255} onChange={({ target }) => set({ name: target.value })} />
      </Field>
      <RoleField value={role} onChange={(next) => set({ role: next })} error={create.error} name="roles" />
      <WorkspaceField
        value={workspace}
        onChange={(next) => set({ workspace: next })}
        error={create.error}
        all="Your own"
      />
      <Field label="Ends after" name="expires_at" error={create.error}>
        <select value={days} onChange={({ target }) => set({ days: target.value })}>
          {Object.entries(lives).map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <LimitFields limits={limits} onChange={(next) => set({ limits: next })} error={create.error} />
      <CodeLines
        ways={{
          CLI: asCli('tokens create', {
            name,
            roles: roleName,
            ...(days === 'never' ? { 'no-expire': true } : { 'expires-at': `+${days}d` }),
          }).concat(limitFlags(limits)),
        }}
      />
      <Refusal error={create.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={create.isRunning}>
          Create
        </Button>
      </DialogActions>
    </form>
  )
}

function Secret({ token, onClose }: { token: CreatedToken; onClose: () => void }) {
  return (
    <div className="stack">
      <p>
        Copy it now: it is shown only here. It ends <Moment at={token.expires_at} />. Keep it where your programs find
        it, not in code.
      </p>
      <CodeLines ways={{ Shell: envSnippet(token.token, location.origin), Token: token.token }} />
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </div>
  )
}
