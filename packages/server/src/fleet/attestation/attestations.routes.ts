import { reportMachineStatements } from '@bourse/api/fleet/agent-statements.ts'
import { getInstanceAttestation } from '@bourse/api/fleet/attestation.ts'
import { handle, handleAgent } from '../../core/http/routes.ts'
import { getAttestation, recordStatements } from './attestations.service.ts'

export const attestationRoutes = [
  handle(getInstanceAttestation, getAttestation),
  handleAgent(reportMachineStatements, recordStatements),
]
