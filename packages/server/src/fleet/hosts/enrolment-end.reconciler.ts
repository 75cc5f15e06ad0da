/** Permits to enrol hosts end when their time is over, and give back what they held of the account's limit. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { enrolmentEnd, expireEnrolment } from './host-enrolments.service.ts'

export const enrolmentEndReconciler: Reconciler = {
  kind: enrolmentEnd,
  step: (ctx, key) => expireEnrolment(ctx, key as Id<'host_enrolment'>),
}
