/** The list of instance templates. */
import { Link } from '@tanstack/react-router'
import { lazy } from 'react'
import { WorkspaceFilter } from '../../access/filters.tsx'
import { instanceTemplates } from '../../generated/rows/fleet.ts'
import { useExample } from '../../live/example.ts'
import { useThings } from '../../live/forms/things.tsx'
import { columnsOf } from '../../live/lists/columns.ts'
import { resourceFilter, textFilter } from '../../live/lists/filters.tsx'
import { ListPage } from '../../live/lists/list-page.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { nameFilter, tagFilter } from '../instance-filters.rules.ts'

const CreateTemplate = lazy(() =>
  import('./template-dialogs.tsx').then(({ CreateTemplate: dialog }) => ({ default: dialog })),
)
const TemplateDialog = lazy(() =>
  import('./template-dialogs.tsx').then(({ TemplateDialog: dialog }) => ({ default: dialog })),
)

const help = `A template keeps the settings of machines: image, keys, user data, tags and network. Deployments start
their instances from one, and a new instance may begin with one. It never changes: create another one instead.`

/** The page. */
export function TemplatesPage() {
  return (
    <ListPage
      title="Templates"
      help={help}
      guide="/docs/concepts/instances"
      name="Templates"
      operation="list_instance_templates"
      every={30_000}
      columns={columns}
      filters={filters}
      query={({ name = '', tag = '', ...rest }) => ({ ...rest, ...nameFilter(name), ...tagFilter(tag) })}
      actions={
        <Link to="/deployments" className={buttonClass()}>
          Deployments
        </Link>
      }
      create={{
        label: 'Create template',
        dialog: (close, open) => <CreateTemplate onClose={close} onDone={({ id }) => open(id)} />,
      }}
      opened={(template, close) => <TemplateDialog template={template} onClose={close} />}
      empty={{
        title: 'No template',
        useCommand,
        text: 'What several machines have in common is said once here: their image, keys, user data and network.',
      }}
    />
  )
}

const filters = {
  name: textFilter('Search by name', { placeholder: 'Name, or web-*' }),
  image: resourceFilter('Image', () => useThings('image')),
  workspace: WorkspaceFilter,
  tag: textFilter('Tag', { placeholder: 'Tag: key or key=value' }),
}

function useCommand(): string {
  return `bourse instance-templates create --name web --image ${useExample('image')}`
}

const columns = columnsOf(
  instanceTemplates,
  [
    'name',
    'image',
    { of: 'ssh_keys', value: ({ ssh_keys }) => ssh_keys.length, as: 'count' },
    { of: 'cloud_init_user_data_used', title: 'User data' },
    'priority_level',
    'tags',
    'workspace',
    'created_at',
  ],
  ['id', { id: 'path', title: 'Path', value: (row) => row.resource_path, as: 'id' }],
)
