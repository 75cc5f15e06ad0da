/** Workspaces in forms. */
import { useWorkspaceChoices } from '../live/choices.ts'

/** The options. */
export function WorkspaceOptions() {
  const { data = [] } = useWorkspaceChoices()
  return data.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))
}
