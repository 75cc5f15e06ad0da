/** Generated from the contract by `npm run gen`. Do not edit. */

export const createWebhook = {
  operation: 'create_webhook',
  command: 'webhooks create',
  fields: {
    url: {"label":"URL","shape":"text","hint":"URL of the receiver: https, with a public address, without user, password and fragment. The address is checked at each connection.","required":true,"max_length":2048},
    description: {"label":"Description","shape":"text","hint":"A note for people.","max_length":255},
    actions: {"label":"Actions","shape":"list","hint":"Only events with these actions, such as order.filled or instance.*. Empty: all.","max_length":128,"example":"order.filled"},
    target_types: {"label":"Kinds of resources","shape":"list","hint":"Only events about these kinds of resources, such as instance. Empty: all.","max_length":64,"example":"instance"},
    targets: {"label":"About","shape":"list","hint":"Only events about these resources: their ids. Empty: all.","max_length":255},
    ordering: {"label":"Ordering","shape":"words","hint":"per_target: events about one resource are sent one after the other, the next only after success or the last attempt. none: in any order.","words":["none","per_target"]},
    enabled: {"label":"Enabled","shape":"boolean","hint":"Send events at once.","fallback":true,"has_negative":true},
    starting_after: {"label":"Starting after","shape":"text","hint":"Also send the events after this one: the cursor of an event of a list without filters. Default: only new ones.","max_length":2048},
  },
} as const

export const replayWebhook = {
  operation: 'replay_webhook',
  command: 'webhooks replay',
  fields: {
    since: {"label":"Since","shape":"moment","hint":"Send the events again that happened at this time or later."},
    starting_after: {"label":"Starting after","shape":"text","hint":"Send the events after this one again: the cursor of an event of a list without filters.","max_length":2048},
  },
} as const
