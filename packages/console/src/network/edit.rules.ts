/** What an edited resource of the network is changed to. Pure. */
import { sentTags, tagsText } from '../live/tags.rules.ts'

/** A resource with a name and tags. */
export type Edited = {
  readonly id: string
  readonly name: string
  readonly tags: Readonly<Record<string, string>> | null
}
/** What is sent; what is left out stays as it is. */
export type Changes = { name?: string; tags?: Record<string, string> | null }

/** The changes against what the form began with: what others have changed since is theirs. */
export function changesOf(before: Edited, form: { readonly name: string; readonly tags: string }): Changes {
  return {
    ...(form.name === before.name ? {} : { name: form.name }),
    ...(form.tags === tagsText(before.tags) ? {} : { tags: sentTags(form.tags) }),
  }
}
