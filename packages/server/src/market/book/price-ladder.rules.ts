// A price ladder: resting orders of one side and one cell of time, by price, then age.
//
// Levels are stored in runs of at most 128. Finding, adding or removing a level takes two short binary searches and
// moves a few pointers, for any number of prices. An order joins and leaves its level in constant time.

import type { Ladder, Level, Order, RestingOrder } from './resting-order.rules.ts'

const runMax = 128

/** An empty ladder for `cell` of `cells`. */
export function emptyLadder<O extends Order>(cells: Map<number, Ladder<O>>, cell: number): Ladder<O> {
  return { cell, cells, runs: [], best: undefined, earliest: Number.POSITIVE_INFINITY, latest: 0 }
}

/** Adds an order to those of its price, by age: last, unless it keeps the place of an order that it amends. */
export function joinLadder<O extends Order>(ladder: Ladder<O>, resting: RestingOrder<O>): void {
  const level = levelOf(ladder, resting.rank)
  let older = level.youngest
  while (older !== undefined && older.seq > resting.seq) older = older.older
  const younger = older === undefined ? level.oldest : older.younger
  resting.level = level
  resting.older = older
  resting.younger = younger
  if (older === undefined) level.oldest = resting
  else older.younger = resting
  if (younger === undefined) level.youngest = resting
  else younger.older = resting
  if (resting.first < ladder.earliest) ladder.earliest = resting.first
  if (resting.end > ladder.latest) ladder.latest = resting.end
}

/** Removes an order, and its level if that becomes empty. */
export function leaveLadder<O extends Order>(resting: RestingOrder<O>): void {
  const level = resting.level as Level<O>
  const { older, younger } = resting
  if (older === undefined) level.oldest = younger
  else older.younger = younger
  if (younger === undefined) level.youngest = older
  else younger.older = older
  resting.level = undefined
  resting.older = undefined
  resting.younger = undefined
  if (level.oldest === undefined) removeLevel(level)
}

/** The next order in priority in the same ladder: of the same price, or of the next worse one. */
export function nextInLadder<O extends Order>(resting: RestingOrder<O>): RestingOrder<O> | undefined {
  return resting.younger ?? resting.level?.worse?.oldest
}

function levelOf<O extends Order>(ladder: Ladder<O>, rank: number): Level<O> {
  if (ladder.best?.rank === rank) return ladder.best
  const { runs } = ladder
  const runIndex = runOf(runs, rank)
  const run = runs[runIndex] ?? []
  const index = placeIn(run, rank)
  const found = run[index]
  if (found?.rank === rank) return found
  const worse = found ?? runs[runIndex + 1]?.[0]
  const better = run[index - 1]
  const level: Level<O> = { rank, ladder, oldest: undefined, youngest: undefined, better, worse }
  if (better === undefined) ladder.best = level
  else better.worse = level
  if (worse !== undefined) worse.better = level
  if (run.length === 0) runs.push(run)
  run.splice(index, 0, level)
  if (run.length > runMax) runs.splice(runIndex + 1, 0, run.splice(runMax / 2))
  return level
}

function removeLevel<O extends Order>(level: Level<O>): void {
  const { ladder, better, worse } = level
  if (better === undefined) ladder.best = worse
  else better.worse = worse
  if (worse !== undefined) worse.better = better
  const runIndex = runOf(ladder.runs, level.rank)
  const run = ladder.runs[runIndex] as Level<O>[]
  if (run.length === 1) ladder.runs.splice(runIndex, 1)
  else run.splice(placeIn(run, level.rank), 1)
}

/** The last run that begins at or before `rank`, or the first. */
function runOf<O extends Order>(runs: Level<O>[][], rank: number): number {
  let low = 0
  let high = runs.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const [first] = runs[middle] as [Level<O>]
    if (first.rank <= rank) low = middle
    else high = middle - 1
  }
  return low
}

/** The index of `rank` in a run, or where it would be inserted. */
function placeIn<O extends Order>(run: Level<O>[], rank: number): number {
  let low = 0
  let high = run.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((run[middle] as Level<O>).rank < rank) low = middle + 1
    else high = middle
  }
  return low
}
