import { repeated, tagKeyForm, text } from './schema.ts'

/** Filters of every list whose rows carry tags: `tag=key=value` and `tag_key=key`; several must all hold. */
export const tagFilters = {
  tag: repeated(text({ max: 385, pattern: '^[^_,= ][^,= ]{0,127}=[^,=]{0,256}$', form: '`key=value`' }), {
    description: 'A tag `key=value` that must be there. May be repeated; all must hold.',
  }),
  tag_key: repeated(text({ max: 128, pattern: '^[^_,= ][^,= ]{0,127}$', form: tagKeyForm }), {
    description: 'A tag key that must be there. May be repeated; all must hold.',
  }),
}
