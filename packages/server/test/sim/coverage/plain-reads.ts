/** The reads that follow from the contract: an item that creates a resource reads it too, unless another item does. */
import { isOfPlatform, type PlainRead, plainReads } from '../../calls/plain-reads.ts'
import { done, type Item, type Pass } from './item.ts'
import { targets } from './targets.ts'

/** The items, which also cover the plain reads that none of them covers yet. */
export function withPlainReads(items: readonly Item[]): readonly Item[] {
  const covered = new Set(items.flatMap(({ covers }) => covers))
  const left = [...plainReads.values()].filter(
    ({ read }) => targets.includes(done(read.name)) && !covered.has(done(read.name)),
  )
  const alone = left.filter(({ of }) => of === undefined)
  return [...items.map((item) => readingBack(item, left)), ...(alone.length > 0 ? [itemOf(alone)] : [])]
}

function readingBack(item: Item, left: readonly PlainRead[]): Item {
  const reads = left.filter(({ of }) => of !== undefined && item.covers.includes(done(of.create.name)))
  if (reads.length === 0) return item
  return {
    ...item,
    covers: [...item.covers, ...reads.map(({ read }) => done(read.name))],
    work: (pass) => item.work(readingPass(pass, reads)),
  }
}

/** A pass that reads what it has created, as the one who created it. */
function readingPass(pass: Pass, reads: readonly PlainRead[]): Pass {
  const ok: Pass['ok'] = async (op, call = {}) => {
    const made = await pass.ok(op, call)
    const { by = pass.account, token } = call
    for (const { read, of } of reads) {
      if (of?.create.name !== op) continue
      await pass.ok(read.name, { by, ...(token ? { token } : {}), params: { [of.parameter]: made.id } })
    }
    return made
  }
  return { ...pass, ok }
}

function itemOf(reads: readonly PlainRead[]): Item {
  return {
    name: 'reads-without-input',
    covers: reads.map(({ read }) => done(read.name)),
    work: async (pass) => {
      for (const { read } of reads) await pass.ok(read.name, isOfPlatform(read) ? { by: pass.platform } : {})
    },
  }
}
