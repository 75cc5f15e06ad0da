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
import { listPlatformInstances } from '@bourse/api/fleet/platform-instances.ts'
import { handle, handleBatched } from '../../core/http/routes.ts'
import * as creation from './instance-creation.service.ts'
import * as replacement from './instance-replacement.service.ts'
import * as updates from './instance-updates.service.ts'
import * as instances from './instances.service.ts'
import { replacementQueueOf } from './replacement-batches.service.ts'

export const instanceRoutes = [
  handle(createInstance, (ctx, { body }) => creation.createInstance(ctx, body)),
  handle(listInstances, (ctx, { query }) => instances.listInstances(ctx, query)),
  handle(listPlatformInstances, (ctx, { query }) => instances.listPlatformInstances(ctx, query)),
  handle(updateInstancePriorities, (ctx, { body }) => updates.updateInstancePriorities(ctx, body)),
  handle(getInstance, (ctx, { params }) => instances.getInstance(ctx, params.id)),
  handle(updateInstance, (ctx, input) => updates.updateInstance(ctx, input)),
  handle(terminateInstance, (ctx, { params }) => instances.terminateInstance(ctx, params.id)),
  handleBatched(replaceInstance, {
    read: replacement.readReplacement,
    prepare: replacement.prepareReplacement,
    queueOf: replacementQueueOf,
  }),
  handle(deleteInstance, (ctx, { params }) => instances.deleteInstance(ctx, params.id)),
  handle(getInstanceCloudInit, (ctx, { params }) => instances.getInstanceCloudInit(ctx, params.id)),
]
