// Data only. name-templates.rules.ts makes names from these words.

/** The words of generated names: 128 of each, with at most 12 lower-case letters. */
export const adjectives = words(`
  able agile alert amber ample apt azure balanced
  bold brave breezy brief bright brisk broad calm
  candid careful central cheerful chief civil classic clean
  clear clever cobalt coherent composed concise constant coral
  cordial cosmic crisp crystal curious cyan daring dapper
  decent deep deft diligent direct distant dynamic eager
  early earnest easy elastic elegant emerald enduring enthusiastic
  equal even exact expert fair famous fast festive
  fine firm fluent fond frank free fresh friendly
  frosty gallant generous gentle gifted glad gleaming golden
  graceful grand grateful handy happy hardy helpful honest
  humble ideal indigo inventive ivory jolly jovial keen
  kind lasting lively logical lucid lucky lunar magnetic
  mellow merry mighty modest nimble noble novel open
  patient placid polished prompt proud quick quiet rapid
  ready robust serene silver steady sunny swift vivid
`)

export const nouns = words(`
  acorn alder anchor antelope arch aspen atlas aurora
  badger balcony bamboo banner barley basin bay beacon
  bear birch bison bluff bobcat breeze bridge brook
  buffalo cabin canyon canvas cape cedar channel chestnut
  cliff clover coast comet compass condor copper cottage
  cove crane creek crest cypress dale dawn delta
  dolphin dune eagle echo elk ember falcon fern
  field finch fjord forest forge fountain fox garden
  geyser glacier glade grove harbor hazel hedgehog heron
  hill hippopotamus horizon island ivy jasmine juniper kestrel
  kite lagoon lake lantern lark laurel lighthouse lily
  linden lynx maple marble meadow meteor mountain nebula
  oak oasis ocean orchard orchid osprey otter owl
  panda pebble pelican pine planet plateau prairie quartz
  raven reef ridge river robin sail sparrow spruce
  summit swan thunderstorm tide trail tulip valley willow
`)

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
