/** One instance. */
import { useParams } from '@tanstack/react-router'
import { client } from '../live/client.ts'
import { useItem } from '../live/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Facts, Loading, Page } from '../ui/page.tsx'
import { Copyable, Moment } from '../ui/values.tsx'

/** The page. */
export function InstancePage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data: instance, error } = useItem('instance', id, client.instances.get)
  return (
    <Page title={instance?.name ?? id} help="Everything about one instance." guide="/docs/concepts/instances">
      <ErrorText error={error} />
      {instance ? (
        <Facts
          facts={[
            ['State', <Badge key="state" word={instance.state} />],
            ['Id', <Copyable key="id" text={instance.id} />],
            ['Created', <Moment key="created" at={instance.created_at} />],
          ]}
        />
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  )
}
