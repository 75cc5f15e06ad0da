/**
 * What somebody does wrong on purpose: each is a call, with what has to be there for it, that is to be refused with a
 * code which chance alone would meet too seldom. They are made in turn, each where it can be made.
 */
import { kinds } from '../book.ts'
import { type Deed, inTurn, learning, type Plan, type Scene } from '../scene.ts'
import type { Answer } from '../wire.ts'
import { readable } from './looking.ts'
import { type Mistake, owned, some } from './means.ts'
import { fleetMistakes } from './mistakes-of-fleet.ts'
import { limitMistakes } from './mistakes-of-limits.ts'
import { marketMistakes } from './mistakes-of-market.ts'
import { nameMistakes } from './mistakes-of-names.ts'
import { referenceMistakes } from './mistakes-of-references.ts'

const mistakes = [...nameMistakes, ...limitMistakes, ...referenceMistakes, ...marketMistakes, ...fleetMistakes]
const reads = readable.map(
  (kind): Mistake =>
    (scene, actor) => {
      const thing = some(scene, owned(scene, actor, kind))
      return thing && { op: `get_${kind}` as Plan['op'], actor, params: { id: thing.id } }
    },
)
const tasks = [...mistakes, ...reads]
/** Mistakes that are looked at until one can be made. */
const looksMax = 12
const homeworkCount = 4

function err(scene: Scene): Plan | undefined {
  return nextMistake(scene, () => inTurn(scene, 'mistakes', mistakes))
}

/** What a seed does when all else is over: many seeds make each mistake and read each kind, whatever chance did. */
export function homework(scene: Scene, seed: number): (() => Plan | undefined)[] {
  return Array.from({ length: homeworkCount }, (_, n) => {
    let turn = seed * homeworkCount + n
    return () => nextMistake(scene, () => tasks[turn++ % tasks.length] as Mistake)
  })
}

/** The first of those whose turn it is that can be made. */
function nextMistake(scene: Scene, next: () => Mistake): Plan | undefined {
  const { actors, choices } = scene
  const first = choices.integer(actors.length)
  const everybody = [...actors.slice(first), ...actors.slice(0, first)]
  for (let looks = 0; looks < looksMax; looks++) {
    const make = next()
    for (const actor of everybody) {
      const plan = make(scene, actor)
      if (plan) return taught(scene, plan)
    }
  }
  return undefined
}

/** Mistakes that turn out to be none have done something: it is taken into the book, as of all that leads to them. */
function taught(scene: Scene, plan: Plan): Plan {
  const { op, actor, params, next } = plan
  const known = scene.book.things.get(params?.id ?? '')
  const account = known?.account ?? params?.account ?? actor.id
  const learn = (body: any) => {
    const kind = kinds.find((one) => one === body?.object || `spot_${one}` === body?.object)
    if (plan.learn) plan.learn(body)
    else if (op.startsWith('delete_')) scene.book.forget(params?.id ?? '')
    else if (kind) learning(scene, { id: account }, kind)(body)
  }
  const goOn = (answer: Answer) => {
    const after = next?.(answer)
    return after && taught(scene, after)
  }
  const eventually = plan.eventually && taught(scene, plan.eventually)
  return { touches: known ? [known] : [], ...plan, learn, next: goOn, eventually }
}

export const mistakeDeeds: readonly Deed[] = [{ name: 'err', weight: 60, plan: err }]
