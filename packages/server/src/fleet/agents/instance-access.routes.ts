import { getInstanceSsh, listInstanceLogs } from '@bourse/api/fleet/instance-access.ts'
import { handle } from '../../core/http/routes.ts'
import { openLogStream } from './instance-log-streams.service.ts'
import { listLogs } from './instance-logs.service.ts'
import * as ssh from './instance-ssh.service.ts'

export const instanceAccessRoutes = [
  handle(listInstanceLogs, (ctx, { params, query }) => listLogs(ctx, params.id, query), {
    stream: (ctx, { params, query }, request) => openLogStream(ctx, params.id, query, request),
  }),
  handle(getInstanceSsh, (ctx, { params }) => ssh.getInstanceSsh(ctx, params.id)),
]
