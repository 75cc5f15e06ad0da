/** What runs, what it costs, and what needs attention. */
import { Page } from '../ui/page.tsx'

/** The page. */
export function OverviewPage() {
  return (
    <Page title="Overview" help="What runs now, what it costs, and what needs your attention.">
      <p>Welcome.</p>
    </Page>
  )
}
