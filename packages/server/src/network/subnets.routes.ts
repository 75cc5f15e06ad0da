import { operations } from '@bourse/api/network/subnets.ts'
import { handleAll } from '../core/http/routes.ts'
import * as subnets from './subnets.service.ts'

export const subnetRoutes = handleAll(operations, subnets)
