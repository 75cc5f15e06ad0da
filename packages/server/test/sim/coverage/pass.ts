/**
 * The coverage pass: before its random operations, a seed runs its share of the coverage list in the new world. An item
 * that does not reach its targets is a violation, even if the random operations reach them.
 */
import { isDeepStrictEqual } from 'node:util'
import type { OperationName } from '@bourse/api/contract.ts'
import { isDerived, readTransitions } from '../checks/transitions.ts'
import { type CallPlan, recording, type SimActor, type SimContext } from '../context.ts'
import { kinds } from '../inventory.ts'
import type { ReplicaResponse } from '../replicas/client.ts'
import type { ReplicaFault } from '../replicas/replicas.ts'
import { recordViolation, type SimRun, verifyTrades } from '../run.ts'
import {
  act,
  advanceClock,
  codesOf,
  drain,
  readClock,
  resume,
  sendDuplicate,
  sendDuplicateUntilTimeout,
} from '../step.ts'
import type { Item, ItemCall, Pass } from './item.ts'

export async function runCoveragePass(run: SimRun, items: readonly Item[]): Promise<void> {
  const pass = passOf(run)
  for (const item of items) {
    if (run.violations.length > 0) return
    run.choices.goTo(`coverage ${item.name}`)
    run.log(`coverage ${item.name}`)
    await workOff(run, item, pass)
  }
}

async function workOff(run: SimRun, item: Item, pass: Pass): Promise<void> {
  const before = await countsFor(run, item)
  try {
    await item.work(pass)
  } catch (error) {
    recordViolation(run, `coverage of ${item.name}: ${(error as Error).message}`)
  }
  if (run.violations.length > 0) return
  const after = await countsFor(run, item)
  for (const target of item.covers) {
    if ((after(target) ?? 0) > (before(target) ?? 0)) run.covered.add(target)
    else recordViolation(run, `coverage of ${item.name}: ${target} was not reached`)
  }
}

type Counts = (target: string) => number | undefined

/** The counts of the run so far. Counts from the database are read only for items that cover them. */
async function countsFor(run: SimRun, { covers }: Item): Promise<Counts> {
  const own = new Map(run.counts)
  for (const [label, times] of run.replicas.injected) own.set(`injected ${label}`, times)
  if (!covers.some(isDerived)) return (target) => own.get(target)
  await verifyTrades(run)
  const derived = await readTransitions(run.monitor.database)
  const traded = new Map(run.referenceBooks.counts)
  return (target) => own.get(target) ?? traded.get(target) ?? derived.get(target)
}

function passOf(run: SimRun): Pass {
  const { context } = run
  const { account, partner } = context.coverage
  let names = 0
  const send = async (op: OperationName, call: ItemCall = {}): Promise<ReplicaResponse> => {
    const response = await deliver(run, planOf(context, op, call), call.fault)
    if (!response) throw new Error(`${op} got no response: ${run.violations.join('; ')}`)
    return response
  }
  return {
    context,
    account,
    partner,
    platform: context.platform,
    fixtures: context.world.fixtures,
    send,
    ok: async (op, call) => {
      const { status, text, body } = await send(op, call)
      if (status >= 300) throw new Error(`${op} returned ${status}: ${text}`)
      return body
    },
    refuse: async (op, code, call = {}) => {
      const { status, text, body } = await send(op, call)
      if (!codesOf(body).includes(code)) throw new Error(`${op} returned ${status}, not ${code}: ${text}`)
      context.refused.push(planOf(context, op, call))
      return body
    },
    replay: async (op, call, first) => {
      const { status, text, body, replayed } = await send(op, call)
      if (!replayed || !isDeepStrictEqual(body, first)) throw new Error(`${op} replayed ${status}: ${text}`)
      context.count('replayed')
    },
    duplicate: async (op, call) => {
      const plan = planOf(context, op, call)
      await act(run, plan, { kind: 'pause', at: 'after_claim' })
      await sendDuplicate(run, plan)
      await resume(run)
    },
    duplicateUntilTimeout: async (op, call) => {
      const plan = planOf(context, op, call)
      await act(run, plan, { kind: 'pause', at: 'after_claim' })
      await sendDuplicateUntilTimeout(run, plan)
      await resume(run)
    },
    advance: async (seconds) => {
      await advanceClock(run, seconds)
      await drain(run)
      await readClock(run)
    },
    unique: () => `cover-${++names}`,
    minute: () => context.now - (context.now % 60),
  }
}

/** Sends a call and handles an injected fault. Returns the final response. */
async function deliver(
  run: SimRun,
  plan: CallPlan,
  fault: ReplicaFault | undefined,
): Promise<ReplicaResponse | undefined> {
  let response: ReplicaResponse | undefined
  const next = (received: ReplicaResponse) => {
    response = received
    return undefined
  }
  run.chain.splice(0)
  await act(run, { ...plan, next }, fault)
  await resume(run)
  return response
}

/** A call whose success is recorded in the inventory by its response. */
function planOf(context: SimContext, op: OperationName, call: ItemCall): CallPlan {
  const { by = context.coverage.account, id, owner, fault: _, params, ...rest } = call
  const known = context.inventory.resources.get(id ?? '')
  const account = owner?.id ?? known?.account ?? params?.account ?? by.id
  return {
    ...rest,
    op,
    actor: by,
    params: { ...params, ...(id === undefined ? {} : { id }) },
    touches: known ? [known] : [],
    record: (body) => recordBody(context, { op, id, account }, body),
  }
}

type CoverageResource = {
  readonly op: OperationName
  readonly id: string | undefined
  readonly account: SimActor['id']
}

function recordBody(context: SimContext, { op, id, account }: CoverageResource, body: any): void {
  const kind = kinds.find((one) => one === body?.object || `spot_${one}` === body?.object)
  if (kind) recording(context, { id: account }, kind)(body)
  else if (op.startsWith('delete_') && id !== undefined) context.inventory.remove(id)
}
