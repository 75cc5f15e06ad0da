import { array, record, text } from '../kit/schema.ts'

const value = text({
  min: 1,
  max: 255,
  pattern: '^[A-Za-z0-9._-]+$',
  form: 'letters, digits, dots, underscores and hyphens',
})

/** The required SKUs, in a query: `field[:op]:value[,value…]` joined by `;`. Absent means every SKU. */
export function requirementsParameter() {
  return text({
    max: 4096,
    description:
      'Only SKUs that fit, such as `accelerator:h100,h200;num_accelerators:gte:8`. Conditions are joined by `;`. ' +
      'Each is `field[:op]:value[,value…]`; commas are alternatives. Fields: `id`, `alias`, the SKU properties, ' +
      '`simulated`, `operator_hosts_only`. Ops: `eq` (also without one), `ne`, for integers `gt gte lt lte`. ' +
      'Default: every SKU.',
  })
}

/** The required SKUs, in a body: from each field to its alternative values. */
export function requirementsBody() {
  return record(array(value, { min: 1, max: 20 }), {
    max: 100,
    description:
      'What the SKU must have, instead of its id. Fields: `id`, `alias`, the SKU properties, `simulated`, ' +
      '`operator_hosts_only`, each with a list of its possible values. Empty: any SKU.',
  })
}
