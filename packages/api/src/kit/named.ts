/** Resources that have a name and tags in a workspace: how they are shown, created, changed and listed. */
import type { PathKind } from './ids.ts'
import {
  constant,
  createdAt,
  givenName,
  id,
  idOrPath,
  name,
  newName,
  nullable,
  object,
  ofThis,
  onlyThis,
  optional,
  ownWorkspace,
  pageParameters,
  path,
  repeated,
  resource,
  type TProperties,
  tagKeyForm,
  tags,
  text,
  updatedAt,
} from './schema.ts'
import { workspaceSummary } from './summaries.ts'

/** The resource in a response, with its own fields between its name and its tags. */
export function namedResource<K extends PathKind, P extends TProperties>(
  kind: K,
  { title, description, own }: { title: string; description: string; own: P },
) {
  return resource(title, description, {
    object: constant(kind),
    id: id(kind),
    resource_path: path(kind),
    workspace: workspaceSummary,
    name: name(),
    ...own,
    tags: nullable(tags()),
    created_at: createdAt,
    updated_at: updatedAt,
  })
}

/** The body that creates the resource, with its own fields. */
export function namedCreation<P extends TProperties>(own: P) {
  return object({ name: optional(givenName()), workspace: optional(ownWorkspace()), ...own, tags: optional(tags()) })
}

/** The body that changes the name and the tags of a resource, and nothing else. */
export const namedChange = object({ name: optional(newName()), tags: optional(nullable(tags())) })

/** The filters of lists whose rows have tags: `tag=key=value` and `tag_key=key`. A row must match all of them. */
export const tagFilters = {
  tag: repeated(text({ max: 385, pattern: '^[^_,= ][^,= ]{0,127}=[^,=]{0,256}$', form: '`key=value`' }), {
    description: 'Only rows with this tag, `key=value`. May be repeated; all must match.',
  }),
  tag_key: repeated(text({ max: 128, pattern: '^[^_,= ][^,= ]{0,127}$', form: tagKeyForm }), {
    description: 'Only rows that have a tag with this key. May be repeated; all must match.',
  }),
}

/** The parameters of the list of such resources, with the filters of their own fields. */
export function namedFilters<K extends PathKind, P extends TProperties>(
  kind: K,
  { prefix, own }: { prefix: string; own: P },
) {
  return {
    ...pageParameters(prefix),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    id: repeated(idOrPath(kind, onlyThis)),
    ...own,
    ...tagFilters,
  }
}
