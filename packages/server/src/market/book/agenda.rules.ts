// The agenda of a book: its resting orders by the first minute of their remaining schedule, which expires next. It is a
// binary heap that stores the position of each order, so any order is removed in logarithmic time.

import type { Order, Resting } from './resting-order.rules.ts'

export type Agenda<O extends Order> = Resting<O>[]

/** Adds an order. */
export function enterAgenda<O extends Order>(agenda: Agenda<O>, resting: Resting<O>): void {
  agenda.push(resting)
  rise(agenda, resting, agenda.length - 1)
}

/** Removes an order. */
export function leaveAgenda<O extends Order>(agenda: Agenda<O>, resting: Resting<O>): void {
  const index = resting.agenda_index
  const last = agenda.pop() as Resting<O>
  resting.agenda_index = -1
  if (last !== resting) settle(agenda, last, index)
}

/** Moves an order after its first minute has changed. */
export function moveInAgenda<O extends Order>(agenda: Agenda<O>, resting: Resting<O>): void {
  settle(agenda, resting, resting.agenda_index)
}

function settle<O extends Order>(agenda: Agenda<O>, resting: Resting<O>, index: number): void {
  const parent = agenda[(index - 1) >> 1]
  if (index > 0 && parent !== undefined && resting.first < parent.first) rise(agenda, resting, index)
  else sink(agenda, resting, index)
}

function rise<O extends Order>(agenda: Agenda<O>, resting: Resting<O>, start: number): void {
  let index = start
  while (index > 0) {
    const parentIndex = (index - 1) >> 1
    const parent = agenda[parentIndex] as Resting<O>
    if (parent.first <= resting.first) break
    put(agenda, parent, index)
    index = parentIndex
  }
  put(agenda, resting, index)
}

function sink<O extends Order>(agenda: Agenda<O>, resting: Resting<O>, start: number): void {
  let index = start
  for (let child = 2 * index + 1; child < agenda.length; child = 2 * index + 1) {
    const other = agenda[child + 1]
    if (other !== undefined && other.first < (agenda[child] as Resting<O>).first) child += 1
    const earlier = agenda[child] as Resting<O>
    if (earlier.first >= resting.first) break
    put(agenda, earlier, index)
    index = child
  }
  put(agenda, resting, index)
}

function put<O extends Order>(agenda: Agenda<O>, resting: Resting<O>, index: number): void {
  agenda[index] = resting
  resting.agenda_index = index
}
