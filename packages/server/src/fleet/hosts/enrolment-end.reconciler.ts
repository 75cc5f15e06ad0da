/** Ends permits to enrol hosts when they expire. The unused part of each returns to the limit of its account. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { enrolmentEnd, expireEnrolment } from './host-enrolments.service.ts'

export const enrolmentEndReconciler: Reconciler = {
  kind: enrolmentEnd,
  step: (ctx, key) => expireEnrolment(ctx, key as Id<'host_enrolment'>),
}
