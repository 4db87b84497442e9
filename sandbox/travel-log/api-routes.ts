import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { packJourney } from './archives.ts'
import { dashed } from './clock.ts'
import { addEntry, addMedia, editEntry, entryFields, importEntries, listEntries, ownEntry } from './entries.ts'
import { readFields } from './input.ts'
import { createJourney, homeZone, listJourneys, ownJourney, tallyOf } from './journeys.ts'
import { known, wrong } from './lists.ts'
import { followersOf, listNotices } from './notices.ts'
import { listRemarks } from './remarks.ts'
import { atlasOut, entryFull, entryRow, journeyFull, journeyRow, noticeOut, remarkOut } from './wire.ts'

function self(request: SignedIn): Reply {
  const { account, csrf } = request.viewer
  return json({
    wend: csrf,
    traveller_no: account.account,
    called: account.label,
    person: account.person,
    standing: account.kind === 'unconfirmed' ? 'unconfirmed' : 'full',
    home_zone: homeZone(request),
    followers: followersOf(request.db, account.account).length,
  })
}

function journeys(request: SignedIn): Reply {
  known(request.query, 'phase', 'count', 'older_than')
  const { rows, olderThan } = listJourneys(request)
  return json({ journeys: rows.map(journeyRow), older_than: olderThan })
}

function journey(request: SignedIn): Reply {
  known(request.query)
  return json({ journey: journeyFull(request.db, ownJourney(request)) })
}

function newJourney(request: SignedIn): Reply {
  const fields = readFields(request.json, ['heading', 'first_day', 'last_day', 'blurb', 'audience'])
  return json({ journey: journeyFull(request.db, createJourney(request, fields)) }, 201)
}

function entries(request: SignedIn): Reply {
  known(request.query, 'from_day')
  const { id } = ownJourney(request)
  const given = request.query.get('from_day')
  if (given !== null && (!/^\d{8}$/.test(given) || dashed(Number(given)) === undefined)) {
    throw wrong('from_day must be a day such as 20260228.', 'from_day')
  }
  return json({ entries: listEntries(request.db, id, Number(given ?? 0)).map(entryRow) })
}

function newEntry(request: SignedIn): Reply {
  const { entry, told } = addEntry(request, readFields(request.json, entryFields))
  return json({ entry: entryFull(entry), told }, 201)
}

function newEntries(request: SignedIn): Reply {
  const { entries: given } = readFields(request.json, ['entries'])
  const { entries, told } = importEntries(request, given)
  return json({ entries: entries.map(entryRow), told }, 201)
}

function entry(request: SignedIn): Reply {
  known(request.query)
  return json({ entry: entryFull(ownEntry(request)) })
}

function changedEntry(request: SignedIn): Reply {
  const fields = readFields(request.json, ['heading', 'narrative', 'spot', 'at', 'zone'])
  return json({ entry: entryFull(editEntry(request, fields)) })
}

function newMedia(request: SignedIn): Reply {
  const { entry, added } = addMedia(request, readFields(request.json, ['gallery']))
  return json({ entry: entryFull(entry), added }, 201)
}

function remarks(request: SignedIn): Reply {
  known(request.query)
  return json({ remarks: listRemarks(request.db, ownEntry(request).id).map(remarkOut) })
}

function tally(request: SignedIn): Reply {
  known(request.query)
  const { journeys, entries, lands, metres } = tallyOf(request)
  return json({ tally: { land_count: lands, metres, journey_count: journeys, entry_count: entries } })
}

function archive(request: SignedIn): Reply {
  known(request.query, 'as', 'originals')
  const { journey, format, media, href, goodUntil } = packJourney(request)
  const { id, entries } = journey
  return json({
    archive: { journey: id, as: format, originals: media, href, good_until: goodUntil, entry_count: entries },
  })
}

function notices(request: SignedIn): Reply {
  known(request.query, 'count', 'older_than')
  const { rows, olderThan } = listNotices(request)
  return json({ notices: rows.map(noticeOut), older_than: olderThan })
}

export const apiRoutes: readonly Route[] = [
  free('GET /v3/self', self),
  free('GET /v3/atlas', () => json({ spots: atlasOut() })),
  data('GET /v3/journeys', journeys),
  data('POST /v3/journeys', newJourney),
  data('GET /v3/journeys/{id}', journey),
  data('GET /v3/journeys/{id}/archive', archive),
  data('GET /v3/journeys/{id}/entries', entries),
  data('POST /v3/journeys/{id}/entries', newEntry),
  data('POST /v3/journeys/{id}/entries/batch', newEntries),
  data('GET /v3/entries/{id}', entry),
  data('PATCH /v3/entries/{id}', changedEntry),
  data('POST /v3/entries/{id}/gallery', newMedia),
  data('GET /v3/entries/{id}/remarks', remarks),
  data('GET /v3/tally', tally),
  data('GET /v3/notices', notices),
]
