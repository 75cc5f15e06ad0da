import { explainInstance } from '@bourse/api/fleet/explanations.ts'
import { getInstanceSsh, listInstanceLogs } from '@bourse/api/fleet/instance-access.ts'
import {
  createInstance,
  deleteInstance,
  getInstance,
  getInstanceCloudInit,
  listInstances,
  replaceInstance,
  terminateInstance,
  updateInstance,
  updateInstancePriorities,
} from '@bourse/api/fleet/instances.ts'
import { handle, handleBatched } from '../../core/http/routes.ts'
import { openLogStream } from '../agents/instance-log-streams.service.ts'
import { listLogs } from '../agents/instance-logs.service.ts'
import * as ssh from '../agents/instance-ssh.service.ts'
import * as explanations from '../placement/instance-explanations.service.ts'
import * as creation from './instance-creation.service.ts'
import * as replacement from './instance-replacement.service.ts'
import * as updates from './instance-updates.service.ts'
import * as instances from './instances.service.ts'
import { enqueueReplacement } from './replacement-batches.service.ts'

export const instanceRoutes = [
  handle(createInstance, (ctx, { body }) => creation.createInstance(ctx, body)),
  handle(listInstances, (ctx, { query }) => instances.listInstances(ctx, query)),
  handle(updateInstancePriorities, (ctx, { body }) => updates.updateInstancePriorities(ctx, body)),
  handle(getInstance, (ctx, { params }) => instances.getInstance(ctx, params.id)),
  handle(updateInstance, (ctx, input) => updates.updateInstance(ctx, input)),
  handle(terminateInstance, (ctx, { params }) => instances.terminateInstance(ctx, params.id)),
  handleBatched(replaceInstance, {
    read: replacement.readReplacement,
    prepare: replacement.prepareReplacement,
    enqueue: enqueueReplacement,
  }),
  handle(deleteInstance, (ctx, { params }) => instances.deleteInstance(ctx, params.id)),
  handle(getInstanceCloudInit, (ctx, { params }) => instances.getInstanceCloudInit(ctx, params.id), { reads: false }),
  handle(listInstanceLogs, (ctx, { params, query }) => listLogs(ctx, params.id, query), {
    stream: (ctx, { params, query }, request) => openLogStream(ctx, params.id, query, request),
  }),
  handle(getInstanceSsh, (ctx, { params }) => ssh.getInstanceSsh(ctx, params.id)),
  handle(explainInstance, (ctx, { params }) => explanations.explainInstance(ctx, params.id)),
]
