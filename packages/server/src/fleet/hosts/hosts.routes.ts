import { createHostEnrolment, operations as enrolmentOperations } from '@bourse/api/fleet/host-enrolments.ts'
import { getHost, listHosts } from '@bourse/api/fleet/hosts.ts'
import { handle, handleAll } from '../../core/http/routes.ts'
import * as enrolments from './host-enrolments.service.ts'
import * as hosts from './hosts.service.ts'

export const hostRoutes = [
  handle(listHosts, (ctx, { query }) => hosts.listHosts(ctx, query)),
  handle(getHost, (ctx, { params }) => hosts.getHost(ctx, params.id)),
  ...handleAll(enrolmentOperations, enrolments, {
    create_host_enrolment: handle(createHostEnrolment, (ctx, { body }) => enrolments.createHostEnrolment(ctx, body), {
      restore: enrolments.restoreEnrolment,
    }),
  }),
]
