/** "May this person cancel orders in research?", and all rights that someone has. The server answers. */
import type { Permissions } from '@bourse/sdk'
import { useWorkspaceChoices } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { ThingChoice } from '../live/forms/fields.tsx'
import { useName } from '../live/names/names.ts'
import { useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Loading } from '../ui/page.tsx'
import styles from './access.module.css'
import { kindOf, PrincipalInput } from './principals.tsx'
import { mayDo, operations, rightRows, verdictText } from './rights.rules.ts'
import { RightsMatrix } from './rights-matrix.tsx'

/** The tab. The question is part of the address. */
export function RightsTab() {
  const [{ who, may, in: place }, setAddress] = useAddress({ who: '', may: 'order:delete', in: '' })
  const query = who === '' ? {} : { principal_type: kindOf(who), principal_id: who }
  const rights = useRead(['permission', who], () => client.permissions.get(query), { every: 30_000 })
  return (
    <div className="stack">
      <div className="grid">
        <Field label="Who">
          <PrincipalInput value={who} onChange={(next) => setAddress({ who: next })} />
        </Field>
        <Field label="May they">
          <select value={may} onChange={({ target }) => setAddress({ may: target.value })}>
            {Object.entries(operations).map(([permission, operation]) => (
              <option key={permission} value={permission}>
                {operation}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Workspace">
          <ThingChoice
            kind="workspace"
            value={place}
            onChange={(next) => setAddress({ in: next })}
            empty="The whole account"
          />
        </Field>
      </div>
      <ErrorText error={rights.error} />
      {rights.data ? (
        <Answer rights={rights.data} who={who} permission={may} workspace={place} />
      ) : rights.error ? null : (
        <Loading />
      )}
    </div>
  )
}

type AnswerProps = { rights: Permissions; who: string; permission: string; workspace: string }

function Answer({ rights, who, permission, workspace }: AnswerProps) {
  const own = useName(who)
  const { data: workspaces = [] } = useWorkspaceChoices()
  const isAllowed = mayDo(rights, permission, workspace === '' ? null : workspace)
  const name = workspaces.find(({ id }) => id === workspace)?.name
  const where = workspace === '' ? 'in the whole account' : `in ${name ?? workspace}`
  const person = who === '' ? 'you' : (own ?? who)
  return (
    <>
      <p role="status" className={isAllowed ? 'good' : 'bad'}>
        <b>
          <bdi>{verdictText(person, isAllowed, operations[permission] ?? permission, where)}</bdi>
        </b>{' '}
        <code>{permission}</code>
      </p>
      <h2>
        All rights of <bdi>{person}</bdi>
      </h2>
      <div className={styles.roles}>
        <div className="grid">
          <Rights title="In the whole account" actions={rights.account} />
          {rights.workspaces.slice(0, 50).map(({ workspace: { id, name: title }, actions }) => (
            <Rights key={id} title={`In ${title}`} actions={actions} />
          ))}
        </div>
      </div>
    </>
  )
}

function Rights({ title, actions }: { title: string; actions: Permissions['account'] }) {
  return (
    <section className="card">
      <h3>{title}</h3>
      <RightsMatrix name={title} rows={rightRows(actions)} />
    </section>
  )
}
