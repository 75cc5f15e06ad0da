/** An account as every area reads it. */
import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import type { Tables } from '../../core/generated/tables.ts'

/** An account. */
export type AccountRow = Tables['accounts'] & {
  entity_type: 'personal' | 'business' | null
  trust_level: TrustLevel
}

/** The columns of {@link AccountRow}, for a query that aliases the table as `a`. */
export const accountColumns =
  'a.id, a.name, a.entity_type, a.trust_level, a.is_frozen, a.is_platform, ' + 'a.token_lifetime_max_days, a.created_at'
