/** Limits of an account in words: a size as people write it, and how much of each is used. Pure. */
import type { Limit } from '@bourse/sdk'
import { countText, sizeText } from '@bourse/text/formats/short.ts'

/** From this share on a limit is pointed out. */
const nearShare = 0.8

/** An amount of what a limit counts: `50`, `1 TiB`, `10,000 node-hours`. */
export function limitText(amount: number, unit: Limit['unit']): string {
  if (unit === 'bytes') return sizeText(amount)
  return unit === 'node_hours' ? `${countText(amount)} node-hours` : countText(amount)
}

type UsedLimit = Pick<Limit, 'value' | 'used'>

/** How much of a limit is used, from 0 to 1; undefined where there is none, or it holds for each resource. */
export function usedShare({ value, used }: UsedLimit): number | undefined {
  if (value === null || used === null) return undefined
  return value === 0 ? (used === 0 ? 0 : 1) : Math.min(1, used / value)
}

/** Whether little of a limit is left. */
export function isNear(limit: UsedLimit): boolean {
  return limit.value !== 0 && (usedShare(limit) ?? 0) >= nearShare
}

/** What a limit counts, in words: `firewall rules of each firewall`. */
export function limitTitle({ name, scope }: Pick<Limit, 'name' | 'scope'>): string {
  if (scope === 'each') {
    const [owner = '', ...counted] = name.split('_')
    return `${counted.join(' ')} of each ${owner}`
  }
  if (name === 'image_bytes') return 'size of all images'
  return name.replaceAll('_', ' ').replace('node hours', 'node-hours').replace('infiniband', 'InfiniBand')
}
