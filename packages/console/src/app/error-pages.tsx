/** Pages in the place of those that do not exist or failed. */
import { Link, useRouter } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Page } from '../ui/page.tsx'

/** For an address that no page has. */
export function MissingPage() {
  return (
    <Page
      title="Not found"
      help="No page of the console has this address. The navigation lists all of them."
      guide="/docs/guides/first-hour"
    >
      <p>
        There is no page at this address. <Link to="/">Go to the board.</Link>
      </p>
    </Page>
  )
}

/** For a page that failed while it was drawn. */
export function BrokenPage({ error }: { error: Error }) {
  const router = useRouter()
  return (
    <Page
      title="This page failed"
      help="Something in this page went wrong. The rest of the console works."
      guide="/docs/guides/first-hour"
    >
      <ErrorText error={error} />
      <div className="row">
        <Button onClick={() => void router.invalidate()}>Try again</Button>
        <Button onClick={() => location.reload()}>Reload the console</Button>
      </div>
    </Page>
  )
}
