import {
  createHostEnrolment,
  deleteHostEnrolment,
  getHostEnrolment,
  listHostEnrolments,
} from '@bourse/api/fleet/host-enrolments.ts'
import { getHost, listHosts } from '@bourse/api/fleet/hosts.ts'
import { handle } from '../../core/http/routes.ts'
import * as enrolments from './host-enrolments.service.ts'
import * as hosts from './hosts.service.ts'

export const hostRoutes = [
  handle(listHosts, (ctx, { query }) => hosts.listHosts(ctx, query)),
  handle(getHost, (ctx, { params }) => hosts.getHost(ctx, params.id)),
  handle(createHostEnrolment, (ctx, { body }) => enrolments.createEnrolment(ctx, body), {
    restore: enrolments.restoreEnrolment,
  }),
  handle(listHostEnrolments, (ctx, { query }) => enrolments.listEnrolments(ctx, query)),
  handle(getHostEnrolment, (ctx, { params }) => enrolments.getEnrolment(ctx, params.id)),
  handle(deleteHostEnrolment, (ctx, { params }) => enrolments.deleteEnrolment(ctx, params.id)),
]
