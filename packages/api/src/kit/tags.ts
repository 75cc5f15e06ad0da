import { repeated, tagKeyForm, text } from './schema.ts'

/** The filters of lists whose rows have tags: `tag=key=value` and `tag_key=key`. A row must match all of them. */
export const tagFilters = {
  tag: repeated(text({ max: 385, pattern: '^[^_,= ][^,= ]{0,127}=[^,=]{0,256}$', form: '`key=value`' }), {
    description: 'Only those with this tag, `key=value`. May be repeated; all must match.',
  }),
  tag_key: repeated(text({ max: 128, pattern: '^[^_,= ][^,= ]{0,127}$', form: tagKeyForm }), {
    description: 'Only those that have a tag with this key. May be repeated; all must match.',
  }),
}
