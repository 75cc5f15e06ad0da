import {
  createInstanceTemplate,
  deleteInstanceTemplate,
  getInstanceTemplate,
  getInstanceTemplateCloudInit,
  listInstanceTemplates,
} from '@bourse/api/fleet/instance-templates.ts'
import { handle } from '../../core/http/routes.ts'
import * as templates from './instance-templates.service.ts'

export const instanceTemplateRoutes = [
  handle(createInstanceTemplate, (ctx, { body }) => templates.createInstanceTemplate(ctx, body)),
  handle(listInstanceTemplates, (ctx, { query }) => templates.listInstanceTemplates(ctx, query)),
  handle(getInstanceTemplate, (ctx, { params }) => templates.getInstanceTemplate(ctx, params.id)),
  handle(getInstanceTemplateCloudInit, (ctx, { params }) => templates.getInstanceTemplateCloudInit(ctx, params.id)),
  handle(deleteInstanceTemplate, (ctx, { params }) => templates.deleteInstanceTemplate(ctx, params.id)),
]
