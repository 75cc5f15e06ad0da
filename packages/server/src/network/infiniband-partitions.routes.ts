import {
  createInfinibandPartition,
  deleteInfinibandPartition,
  getInfinibandPartition,
  listInfinibandPartitions,
  updateInfinibandPartition,
} from '@bourse/api/network/infiniband-partitions.ts'
import { handle } from '../core/http/routes.ts'
import * as partitions from './infiniband-partitions.service.ts'

export const infinibandPartitionRoutes = [
  handle(createInfinibandPartition, (ctx, { body }) => partitions.createInfinibandPartition(ctx, body)),
  handle(listInfinibandPartitions, (ctx, { query }) => partitions.listInfinibandPartitions(ctx, query)),
  handle(getInfinibandPartition, (ctx, { params }) => partitions.getInfinibandPartition(ctx, params.id)),
  handle(updateInfinibandPartition, (ctx, { params, body }) =>
    partitions.updateInfinibandPartition(ctx, params.id, body),
  ),
  handle(deleteInfinibandPartition, (ctx, { params }) => partitions.deleteInfinibandPartition(ctx, params.id)),
]
