import { exportUsage } from '@bourse/api/billing/exports.ts'
import { handleDownload } from '../../core/http/routes.ts'
import * as exports from './exports.service.ts'

export const exportRoutes = [handleDownload(exportUsage, exports.exportUsage)]
