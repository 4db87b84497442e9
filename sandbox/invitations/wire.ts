import { stageOf, trackOf, type Card, type Guest, type Letter, type Party } from './entities.ts'
import type { LabelCount } from './labels.ts'

type Fields = Record<string, unknown>

export const partyRow = (party: Party, now: number): Fields => ({
  partyNo: party.serial,
  headline: party.headline,
  format: party.format,
  stage: stageOf(party, now),
  startsMs: party.starts,
  madeMs: party.made,
  standing: party.standing,
})

export const partyFull = (party: Party, tally: Record<string, number>, labels: LabelCount[], now: number): Fields => ({
  ...partyRow(party, now),
  hostedBy: party.host,
  venue: party.venue,
  zone: party.zone,
  dispatchMs: party.dispatched,
  tally,
  labels,
})

export const guestRow = (guest: Guest, now: number): Fields => ({
  guestNo: guest.serial,
  calledAs: guest.called,
  mail: guest.mail,
  mobile: guest.mobile,
  household: guest.household,
  seats: guest.seats,
  track: trackOf(guest, now),
  headcount: guest.headcount,
  labels: guest.labels,
  madeMs: guest.made,
})

export const guestFull = (guest: Guest, messages: readonly Letter[], now: number): Fields => ({
  ...guestRow(guest, now),
  letters: messages.map(({ kind, subject, goes }) => ({ kind, subject, goneMs: goes })),
})

export const letterOut = (letter: Letter, now: number): Fields => ({
  letterNo: letter.serial,
  batchNo: letter.batch,
  partyNo: letter.party,
  guestNo: letter.guest,
  kind: letter.kind,
  recipient: letter.recipient,
  subject: letter.subject,
  words: letter.words,
  goesMs: letter.goes,
  gone: letter.goes <= now,
})

export const cardOut = (card: Card): Fields => ({
  cardNo: card.serial,
  fullName: card.fullName,
  mail: card.mail,
  phones: card.phones,
  madeMs: card.made,
})
