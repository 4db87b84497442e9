import { stemmer } from 'stemmer'

/** Stop words. */
const filler = new Set(
  `a about again already also am an and any anybody anyone anything app are as at be because been but by can cannot could d did do does doing done
  each else ever every everybody everyone everything few for from gave get gets getting give gives go going gonna got had has have having he hello her here hers hey hi
  him his how i if in into is isn it its just keep keeps kindly know let ll like lot m make makes many may maybe me might mine more mr mrs ms much must my need needs
  no nobody not now of off ok on one only or other our ours out over own per please pls plz put re really right s said say says see she should so some somebody someone
  something still such sure t take takes than thank thanks that the their them then there these they thing things this those to today tomorrow tonight too up us
  use ve very via want wanted wants was way we week well went were what when where whether which while who whom whose why will wish with won would
  yesterday yet you your yours yourself monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october
  november december am pm noon morning afternoon evening`.split(/\s+/),
)

/** Groups of synonyms in this domain. */
const groups: readonly (readonly string[])[] = `
appointment booking reservation
client customer
guest camper traveler traveller attendee
student learner pupil participant
member subscriber
message write chat dm
message text
reply answer respond response
inbox conversation thread
mail email
newsletter announcement note
invoice bill
pay paid payment settle
unpaid outstanding owe due overdue open
payout transfer earning deposit
revenue sales earning turnover income takings
refund reimburse
coupon discount voucher promo code
price rate cost fee charge
price pricing
cancel void
delete remove erase
create add new
register enroll enrol signup
update change edit modify adjust fix correct
reschedule move postpone shift
schedule calendar agenda timetable program
availability available free vacancy opening
close shut block stop
unblock reopen open
publish live release
unpublish hide deactivate offline
listing ad advert property
flat apartment
house home
review rating feedback star
photo picture image
gallery album collection
series playlist collection
employee staff team worker
technician crew worker
pet dog cat
class workout
lesson lecture
event party
conference summit event
session talk keynote
speaker presenter
rsvp reply
product item goods resource
order purchase bought
buyer customer
note remark comment memo
stats statistics analytics performance figures
report summary
video film clip
trip journey
tour excursion activity
estimate quote quotation offer
lead enquiry inquiry prospect
accept approve confirm
decline reject refuse deny
assign dispatch
unsubscribe cancel
freeze pause suspend
upgrade downgrade switch
download export
spreadsheet csv excel
upload import
waitlist waiting
shot vaccination
sale markdown
followers fans
question q&a
spot place seat
capacity quota places
plan membership
show view
`
  .trim()
  .split('\n')
  .map((line) => line.split(' ').map((word) => stemmer(word)))

const others = new Map<string, Set<string>>()
for (const group of groups)
  for (const word of group) {
    const known = others.get(word) ?? new Set<string>()
    for (const other of group) if (other !== word) known.add(other)
    others.set(word, known)
  }

/** Synonyms of a term. */
export function alike(term: string): Iterable<string> {
  return others.get(term) ?? []
}

/**
 * Unique stems of a text without stop words, in order of first occurrence, then plurals (`orders`
 * is `order` and `order+`) and pairs of neighbors (`send_mail`).
 */
export function termsOf(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll(/[’']s\b/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const kept = words.filter((word) => !filler.has(word))
  const stems = kept.map((word) => stemmer(word))
  const pairs = stems.slice(1).map((stem, at) => `${stems[at]}_${stem}`)
  return [...new Set([...stems, ...kept.filter(isPlural).map((word) => `${stemmer(word)}+`), ...pairs])]
}

export const isPlural = (word: string): boolean => word.length > 3 && word.endsWith('s') && !word.endsWith('ss')

/** Whether a query asks for information (true) or for an action (false); undefined: unclear. */
export function isAsking(text: string): boolean | undefined {
  const said = text.trim().toLowerCase()
  if (
    text.trim().endsWith('?') ||
    /^(?:who|whats?|when|where|which|whose|how|is|are|was|were|did|does|has|have|any|show|list|see|view|find|check|look|tell me|read|search)\b/.test(
      said,
    )
  )
    return !/^(?:can|could|would|will) you\b/.test(said) || undefined
  const doing =
    /^(?:add|create|make|book|send|cancel|delete|remove|update|change|move|reschedule|publish|unpublish|post|reply|answer|accept|decline|approve|deny|block|unblock|mark|set|assign|record|invite|enroll|register|refund|archive|close|reopen|write|email|message|put|rename)\b/
  return doing.test(said) ? false : undefined
}
