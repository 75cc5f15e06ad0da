import { getInstanceSsh } from '@bourse/api/fleet/instance-access.ts'
import { handle } from '../../core/http/routes.ts'
import * as ssh from './instance-ssh.service.ts'

export const instanceSshRoutes = [handle(getInstanceSsh, (ctx, { params }) => ssh.getInstanceSsh(ctx, params.id))]
