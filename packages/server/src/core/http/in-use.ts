import type { IdKind } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../base/refusal.ts'

/** The refusal to delete a resource that others refer to: `in_use`, with one detail for each. */
export function refuseInUse(
  kind: IdKind,
  referrers: readonly { readonly kind: string; readonly id: string }[],
): RefusalData | undefined {
  if (referrers.length === 0) return undefined
  const own = words(kind)
  const details = referrers.map((referrer) => ({
    field: null,
    code: 'in_use' as const,
    message: `The ${words(referrer.kind)} ${referrer.id} uses this ${own}.`,
  }))
  return { code: 'in_use', field: null, message: `This ${own} is in use.`, details }
}

function words(kind: string): string {
  return kind.replaceAll('_', ' ')
}
