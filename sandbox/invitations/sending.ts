import { run } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { asPreset, asTrack, stageOf, trackOf, type Guest, type Party, type Preset, type Track } from './entities.ts'
import { allGuests, ownGuest } from './guests.ts'
import { invalid, onlyFields, readMoment, readText, requireText } from './input.ts'
import { broadcastDraft, inviteDraft, post, recipientOf } from './letters.ts'

interface Sending {
  batch: number
  count: number
  at: number
}

/** Addresses there nobody ever has. */
const bounces = ({ mail }: Guest): boolean => mail.toLowerCase().endsWith('.invalid')

/** The unsent list → sent now, or queued for later. */
export function dispatch(request: SignedIn, party: Party): Sending {
  const { db, form, base } = request
  const now = request.now * 1000
  onlyFields(form, ['atMs'])
  const at = readMoment(form.get('atMs'), 'atMs', now) ?? now
  if (stageOf(party, now) === 'QUEUED') {
    throw new Refusal(409, 'PARTY_QUEUED', 'This invitation is scheduled already and has not gone out yet.')
  }
  const guests = allGuests(db, party).filter(({ released }) => released === null)
  if (guests.length === 0) throw new Refusal(409, 'NOBODY_HELD', 'There is nobody on the unsent list.')
  for (const guest of guests) {
    const answer = bounces(guest) ? 'BOUNCED' : 'DELIVERED'
    run(db, 'UPDATE guests SET released = ?, answer = ? WHERE serial = ?', at, answer, guest.serial)
  }
  run(db, 'UPDATE parties SET dispatched = ? WHERE serial = ?', at, party.serial)
  const batch = post(request, party, guests, at, (guest) => inviteDraft(party, guest, base))
  const to = guests.map(recipientOf)
  request.effect('invitation.dispatch', { partyNo: party.serial, batchNo: batch, atMs: at, queued: at > now, to })
  return { batch, count: guests.length, at }
}

const reachable: readonly Track[] = ['DELIVERED', 'SEEN', 'COMING', 'DECLINED', 'UNSURE']

function readTracks(form: URLSearchParams): Track[] {
  const given = form.getAll('track')
  if (given.length === 0) throw invalid('FIELD_REQUIRED', 'Say whom by at least one track.', 'track')
  return given.map((code) => {
    const track = asTrack(code)
    if (!track) throw invalid('TRACK_UNKNOWN', `There is no track ${code}.`, 'track')
    if (!reachable.includes(track)) {
      throw invalid('TRACK_UNREACHABLE', `Guests who are ${track} cannot be written to.`, 'track')
    }
    return track
  })
}

function readLabels(form: URLSearchParams, guests: readonly Guest[]): string[] {
  const labels = form.getAll('label')
  for (const label of labels) {
    if (!guests.some((guest) => guest.labels.includes(label))) {
      throw invalid('LABEL_UNKNOWN', `Nobody at this party has the label ${label}.`, 'label')
    }
  }
  return labels
}

function readPreset(form: URLSearchParams): Preset {
  const preset = asPreset(form.get('preset') ?? 'FREE')
  if (!preset) throw invalid('PRESET_UNKNOWN', 'preset must be NUDGE, HEADS_UP, CHANGE or FREE.', 'preset')
  return preset
}

/** To every guest in one of the tracks and, where labels are given, with at least one of them. */
export function broadcast(request: SignedIn, party: Party): Sending {
  const { db, form } = request
  const now = request.now * 1000
  onlyFields(form, ['preset', 'body'], ['track', 'label'])
  const preset = readPreset(form)
  const body = (preset === 'FREE' ? requireText : readText)(form.get('body'), 'body', 2000)
  const tracks = readTracks(form)
  const everybody = allGuests(db, party)
  const labels = readLabels(form, everybody)
  const guests = everybody.filter(
    (guest) =>
      tracks.includes(trackOf(guest, now)) &&
      (labels.length === 0 || labels.some((label) => guest.labels.includes(label))),
  )
  if (guests.length === 0) throw new Refusal(409, 'NOBODY_MATCHES', 'No guest has such a track and label.')
  const draft = broadcastDraft(party, preset, body)
  const batch = post(request, party, guests, now, () => draft)
  const to = guests.map(recipientOf)
  request.effect('message.broadcast', { partyNo: party.serial, batchNo: batch, preset, body, tracks, labels, to })
  return { batch, count: guests.length, at: now }
}

/** To one guest alone. */
export function writeTo(request: SignedIn, party: Party): Sending {
  const { form, viewer } = request
  const now = request.now * 1000
  const guest = ownGuest(request, party)
  onlyFields(form, ['subject', 'body'])
  const given = readText(form.get('subject'), 'subject', 150)
  const subject = given.trim() === '' ? `A note from ${viewer.account.person}` : given
  const body = requireText(form.get('body'), 'body', 2000)
  const track = trackOf(guest, now)
  if (track === 'BOUNCED') throw new Refusal(409, 'GUEST_UNREACHABLE', 'The invitation to this guest came back.')
  if (!reachable.includes(track)) throw new Refusal(409, 'GUEST_NOT_INVITED', 'This guest has no invitation yet.')
  const batch = post(request, party, [guest], now, () => ({ kind: 'PERSONAL', subject, words: body }))
  const to = recipientOf(guest)
  request.effect('message.personal', {
    partyNo: party.serial,
    guestNo: guest.serial,
    batchNo: batch,
    subject,
    body,
    to,
  })
  return { batch, count: 1, at: now }
}
