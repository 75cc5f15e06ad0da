import { dirname } from 'node:path/posix'
import { singular } from '../../packages/text/src/nouns.ts'
import { fileAddress, folderFilesMax, isGenerated, isTypeScript, packageRooms, roomLines } from './house.ts'
import { edges, finding } from './imports.ts'
import type { Finding, Repository, Rule } from './source.ts'

export const roomRules: readonly Rule[] = [roomLineHolds, filesInRooms, noCircles, ownStores]

/** Signals, not rules. */
export const roomSignals: readonly Rule[] = [folderSizes]

/** The rooms of an area form one line, like the areas, and import only from the left. */
export function roomLineHolds(repository: Repository): Finding[] {
  return edges(repository).flatMap((edge) => {
    const from = fileAddress(edge.from.path)
    const to = fileAddress(edge.to)
    const isSameArea = from.home === to.home && from.side === 'src' && to.side === 'src' && from.area === to.area
    const line = lineOf(from)
    const isBetweenRooms = from.room !== '' && to.room !== '' && from.room !== to.room
    if (!isSameArea && !(from.home in packageRooms)) return []
    if (line === undefined || from.isTest || !isBetweenRooms) return []
    if (line.indexOf(to.room) < line.indexOf(from.room)) return []
    const order = line.join(' ← ')
    return [finding(edge, `room ${from.room} may not import ${to.room} (${order}): move the function to the left`)]
  })
}

/** A file of a divided area belongs to one of its rooms. */
export function filesInRooms(repository: Repository): Finding[] {
  return repository.files.flatMap(({ path }) => {
    const place = fileAddress(path)
    const line = roomLines[place.area]
    if (!isTypeScript(path) || place.home !== 'server' || place.side !== 'src' || line === undefined) return []
    if (/\/src\/config(\.test)?\.ts$/.test(path)) return []
    if (line.includes(place.room)) return []
    return [{ path, line: 1, message: `put the file into a room of ${place.area}: ${line.join(', ')}` }]
  })
}

/** Folders with many files, without tests and generated files. */
export function folderSizes(repository: Repository): Finding[] {
  return [...folders(repository)]
    .filter(([, count]) => count > folderFilesMax)
    .map(([path, count]) => ({
      path,
      line: 1,
      message: `${count} files besides tests, more than ${folderFilesMax}: does it hold two rooms?`,
    }))
}

/** A summary of rooms, folders and circular imports, for the last line of tidy. */
export function roomSummary(repository: Repository): string {
  const rooms = [...Object.values(roomLines), ...Object.values(packageRooms)].flat().length
  const [largest = '', count = 0] = [...folders(repository)].sort(([, one], [, other]) => other - one)[0] ?? []
  return `${rooms} rooms, largest folder ${largest} (${count} files), ${circles(repository).length} circles of imports`
}

/** The number of files in each folder, without tests and generated files. */
export function folders(repository: Repository): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { path } of repository.files) {
    if (!isTypeScript(path) || isGenerated(path) || fileAddress(path).isTest) continue
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  return counts
}

/** Refuses circular imports, direct or through other files. Imports of types count too. */
export function noCircles(repository: Repository): Finding[] {
  return circles(repository).map((files) => ({
    path: files[0] as string,
    line: 1,
    message: `imports itself through ${files.slice(1).join(', ')}: move what they share into another file`,
  }))
}

/** Every circle of imports: its files in the order of their paths. */
export function circles(repository: Repository): string[][] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of edges(repository)) {
    targets.set(from.path, [...(targets.get(from.path) ?? []), to])
  }
  return stronglyConnected(targets)
    .filter((files) => files.length > 1 || targets.get(files[0] as string)?.includes(files[0] as string))
    .map((files) => files.sort())
}

/**
 * A service uses the store of its own noun, and the services of other nouns. The services of a noun that has several
 * are named by it, such as orders and order-batches. Its writes may have a store of their own: order-writes.
 */
export function ownStores(repository: Repository): Finding[] {
  return edges(repository).flatMap((edge) => {
    const from = fileAddress(edge.from.path)
    const to = fileAddress(edge.to)
    if (to.role !== 'store' || (from.role !== 'service' && from.role !== 'reconciler')) return []
    if (from.isTest || from.noun === to.noun || isOfNoun(edge.from.path, edge.to)) return []
    const way = `call a function of ${to.noun}.service.ts, or move the statement to ${from.noun}.store.ts`
    return [finding(edge, `uses the store of another noun, ${to.noun}: ${way}`)]
  })
}

function isOfNoun(service: string, store: string): boolean {
  const noun = singular(fileAddress(store).noun.replace(/-writes$/, ''))
  const user = fileAddress(service).noun
  return dirname(service) === dirname(store) && (singular(user) === noun || user.startsWith(`${noun}-`))
}

function lineOf({ home, area, side }: { home: string; area: string; side: string }): readonly string[] | undefined {
  if (home in packageRooms && side === 'src') return packageRooms[home]
  return home === 'server' ? roomLines[area] : undefined
}

type Visit = { index: number; low: number; isOpen: boolean }

/** Tarjan's algorithm: groups of files in which each file reaches all others. */
function stronglyConnected(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const visits = new Map<string, Visit>()
  const open: string[] = []
  const groups: string[][] = []

  function visit(file: string): Visit {
    const own: Visit = { index: visits.size, low: visits.size, isOpen: true }
    visits.set(file, own)
    open.push(file)
    for (const target of targets.get(file) ?? []) {
      const known = visits.get(target)
      if (known === undefined) own.low = Math.min(own.low, visit(target).low)
      else if (known.isOpen) own.low = Math.min(own.low, known.index)
    }
    if (own.low === own.index) groups.push(close(file))
    return own
  }

  function close(first: string): string[] {
    const group = open.splice(open.indexOf(first))
    for (const file of group) (visits.get(file) as Visit).isOpen = false
    return group
  }

  for (const file of targets.keys()) if (!visits.has(file)) visit(file)
  return groups
}
