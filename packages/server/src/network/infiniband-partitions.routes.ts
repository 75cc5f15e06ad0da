import { operations } from '@bourse/api/network/infiniband-partitions.ts'
import { handleAll } from '../core/http/routes.ts'
import * as partitions from './infiniband-partitions.service.ts'

export const infinibandPartitionRoutes = handleAll(operations, partitions)
