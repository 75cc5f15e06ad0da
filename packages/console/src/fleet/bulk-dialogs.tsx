/** Actions on several instances: one request each; what failed stays named. */
import type { Instance, InstanceId } from '@bourse/sdk'
import { type ReactNode, useState } from 'react'
import { cache } from '../live/cache.ts'
import { client } from '../live/client.ts'
import { type EachResult, runEach } from '../live/each.ts'
import { tagsOf } from '../live/tags.rules.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { FailedList } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'

/** A chosen instance; one that the list no longer shows is named by its id. */
type ChosenInstance = Pick<Instance, 'id' | 'name' | 'tags'>

type ChosenProps = {
  chosen: readonly ChosenInstance[]
  onClose: () => void
  /** Called with the ids of those that are still to do. */
  onDone: (rest: readonly string[]) => void
}

/** Ends several instances. */
export function TerminateDialog(props: ChosenProps) {
  return (
    <BulkDialog
      {...props}
      title={(count) => `Terminate ${count}?`}
      action="Terminate"
      done="ended"
      isDangerous
      run={({ id }) => client.instances.terminate(id as InstanceId)}
    >
      <p>Their disks are gone for good. The capacity stays yours until its window ends.</p>
    </BulkDialog>
  )
}

/** Adds tags to several instances, and removes others. */
export function RetagDialog(props: ChosenProps) {
  const [typed, setTyped] = useState('')
  const [removed, setRemoved] = useState('')
  const added = tagsOf(typed)
  const gone = removed
    .split(/[,\n]/)
    .map((key) => key.trim())
    .filter((key) => key !== '')
  const retag = async ({ id }: ChosenInstance) => {
    // The tags of this moment count, not those that the list showed when it was read.
    const { tags } = await client.instances.get(id as InstanceId)
    const kept = Object.entries(tags ?? {}).filter(([key]) => !gone.includes(key))
    const next = typeof added === 'string' ? {} : added
    await client.instances.update(id as InstanceId, { tags: { ...Object.fromEntries(kept), ...next } })
  }
  const isEmpty = typeof added === 'string' || (Object.keys(added).length === 0 && gone.length === 0)
  return (
    <BulkDialog {...props} title={(count) => `Tag ${count}`} action="Tag" done="tagged" isBlocked={isEmpty} run={retag}>
      <Field label="Add or change" hint="key=value, by commas." wrong={typeof added === 'string' ? added : undefined}>
        <input value={typed} onChange={({ target }) => setTyped(target.value)} autoComplete="off" />
      </Field>
      <Field label="Remove" hint="Keys, by commas.">
        <input value={removed} onChange={({ target }) => setRemoved(target.value)} autoComplete="off" />
      </Field>
    </BulkDialog>
  )
}

type BulkProps = ChosenProps & {
  title: (count: string) => string
  action: string
  /** What was done with them, in one word. */
  done: string
  isDangerous?: boolean
  isBlocked?: boolean
  run: (instance: ChosenInstance) => Promise<unknown>
  children: ReactNode
}

/** The dialog. It stays while something failed. */
function BulkDialog({ chosen, onClose, onDone, title, action, done, run, children, ...rest }: BulkProps) {
  const [result, setResult] = useState<EachResult<ChosenInstance>>()
  const [finished, setFinished] = useState<number>()
  const count = counted(chosen.length)
  const runAll = async () => {
    setResult(undefined)
    setFinished(0)
    const next = await runEach(chosen, run, setFinished)
    setFinished(undefined)
    void cache.invalidateQueries({ queryKey: ['instance'] })
    onDone(next.failed.map(({ item }) => item.id))
    if (next.done.length > 0) say(`${counted(next.done.length)} ${done}.`)
    if (next.failed.length === 0) onClose()
    else setResult(next)
  }
  return (
    <Dialog title={title(count)} isOpen onClose={onClose}>
      <div className="stack">
        {children}
        {result ? <Failures result={result} done={done} /> : null}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind={rest.isDangerous ? 'danger' : 'primary'}
          disabled={rest.isBlocked}
          isBusy={finished !== undefined}
          onClick={() => void runAll()}
        >
          {finished === undefined ? `${action} ${count}` : `${finished} of ${chosen.length}…`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Counted instances: "1 instance", "3 instances". */
function counted(count: number): string {
  return count === 1 ? '1 instance' : `${count} instances`
}

function Failures({ result: { failed, done: finished }, done }: { result: EachResult<ChosenInstance>; done: string }) {
  return (
    <div role="alert">
      <p className="bad">
        {failed.length} of {failed.length + finished.length} were not {done}; they stay chosen.
      </p>
      <FailedList failed={failed} nameOf={({ name }) => <bdi>{name}</bdi>} />
    </div>
  )
}
