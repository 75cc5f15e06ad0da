/** Actions on several instances: one request each; what failed stays named. */
import type { Instance, InstanceId } from '@bourse/sdk'
import { useState } from 'react'
import { cache } from '../live/cache.ts'
import { client } from '../live/client.ts'
import { type EachResult, runEach } from '../live/each.ts'
import { tagsOf } from '../live/tags.rules.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { FailedList } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'

type BulkDialogProps = {
  /** The chosen instances; those that the list no longer shows are named by their ids. */
  chosen: readonly Pick<Instance, 'id' | 'name' | 'tags'>[]
  isOpen: boolean
  onClose: () => void
  /** Called with the ids of those that are still to do. */
  onDone: (rest: readonly string[]) => void
}

/** Counted instances: "one instance", "3 instances". */
function counted(count: number): string {
  return count === 1 ? 'one instance' : `${count} instances`
}

/** Ends several instances. */
export function TerminateDialog({ chosen, isOpen, onClose, onDone }: BulkDialogProps) {
  const bulk = useBulk('Ended', onDone, onClose)
  const count = counted(chosen.length)
  return (
    <Dialog title={`Terminate ${count}?`} isOpen={isOpen} onClose={bulk.closing}>
      <p>Their disks are gone for good. The capacity stays yours until its window ends.</p>
      <Failures {...bulk} verb="ended" />
      <DialogActions>
        <Button onClick={bulk.closing}>Cancel</Button>
        <Button
          kind="danger"
          isBusy={bulk.isRunning}
          onClick={() => void bulk.run(chosen, ({ id }) => client.instances.terminate(id as InstanceId))}
        >
          {bulk.isRunning ? `${bulk.finished} of ${chosen.length}…` : `Terminate ${count}`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Adds tags to several instances, and removes others. */
export function RetagDialog({ chosen, isOpen, onClose, onDone }: BulkDialogProps) {
  const bulk = useBulk('Tagged', onDone, onClose)
  const [typed, setTyped] = useState('')
  const [removed, setRemoved] = useState('')
  const added = tagsOf(typed)
  const gone = removed
    .split(/[,\n]/)
    .map((key) => key.trim())
    .filter((key) => key !== '')
  const isEmpty = typeof added === 'string' || (Object.keys(added).length === 0 && gone.length === 0)
  const save = () => {
    if (typeof added === 'string') return
    void bulk.run(chosen, async ({ id }) => {
      // The tags of this moment count, not those that the list showed when it was read.
      const { tags } = await client.instances.get(id as InstanceId)
      const next = {
        ...Object.fromEntries(Object.entries(tags ?? {}).filter(([key]) => !gone.includes(key))),
        ...added,
      }
      await client.instances.update(id as InstanceId, { tags: next })
    })
  }
  return (
    <Dialog title={`Tag ${counted(chosen.length)}`} isOpen={isOpen} onClose={bulk.closing}>
      <div className="stack">
        <Field label="Add or change" hint="key=value, by commas." wrong={typeof added === 'string' ? added : undefined}>
          <input value={typed} onChange={({ target }) => setTyped(target.value)} autoComplete="off" />
        </Field>
        <Field label="Remove" hint="Keys, by commas.">
          <input value={removed} onChange={({ target }) => setRemoved(target.value)} autoComplete="off" />
        </Field>
        <Failures {...bulk} verb="tagged" />
      </div>
      <DialogActions>
        <Button onClick={bulk.closing}>Cancel</Button>
        <Button kind="primary" disabled={isEmpty} isBusy={bulk.isRunning} onClick={save}>
          {bulk.isRunning ? `${bulk.finished} of ${chosen.length}…` : `Tag ${counted(chosen.length)}`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type ChosenInstance = BulkDialogProps['chosen'][number]

function useBulk(verb: string, onDone: BulkDialogProps['onDone'], onClose: () => void) {
  const [result, setResult] = useState<EachResult<ChosenInstance>>()
  const [finished, setFinished] = useState<number>()
  const run = async (items: readonly ChosenInstance[], one: (item: ChosenInstance) => Promise<unknown>) => {
    setResult(undefined)
    setFinished(0)
    const next = await runEach(items, one, setFinished)
    setFinished(undefined)
    void cache.invalidateQueries({ queryKey: ['instance'] })
    onDone(next.failed.map(({ item }) => item.id))
    if (next.done.length > 0) say(`${verb} ${counted(next.done.length)}.`)
    if (next.failed.length === 0) onClose()
    else setResult(next)
  }
  const closing = () => {
    setResult(undefined)
    onClose()
  }
  return { run, result, finished: finished ?? 0, isRunning: finished !== undefined, closing }
}

function Failures({ result, verb }: { result: EachResult<ChosenInstance> | undefined; verb: string }) {
  if (!result || result.failed.length === 0) return null
  const { failed } = result
  return (
    <div role="alert">
      <p className="bad">
        {failed.length} of {failed.length + result.done.length} were not {verb}; they stay chosen.
      </p>
      <FailedList failed={failed} nameOf={({ name }) => <bdi>{name}</bdi>} />
    </div>
  )
}
