import { repeated, tagKeyForm, text } from './schema.ts'

/** The filters of lists whose rows have tags: `tag=key=value` and `tag_key=key`. A row must match all of them. */
export const tagFilters = {
  tag: repeated(text({ max: 385, pattern: '^[^_,= ][^,= ]{0,127}=[^,=]{0,256}$', form: '`key=value`' }), {
    description: 'A tag `key=value` of the row. May be repeated; all must match.',
  }),
  tag_key: repeated(text({ max: 128, pattern: '^[^_,= ][^,= ]{0,127}$', form: tagKeyForm }), {
    description: 'A tag key of the row. May be repeated; all must match.',
  }),
}
