import { html, type Html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { landName } from './atlas.ts'
import { clockIn, dashed, isZone, momentOf } from './clock.ts'
import { addEntry, listEntries } from './entries.ts'
import { invalid, readForm, type Fields } from './input.ts'
import { audiences, createJourney, homeZone, landsOf, listJourneys, ownJourney, setAudience } from './journeys.ts'
import { area, form, input, listing, ownPage, root, select } from './layout.ts'

const link = (path: string, words: string): Html => html`<a href="${root}${path}">${words}</a>`

const untilWords = (day: number | null): string => (day === null ? 'underway' : (dashed(day) ?? ''))

const kilometres = (metres: number): string => `${(metres / 1000).toFixed(1)} km`

function list(request: SignedIn): Reply {
  const { rows, olderThan } = listJourneys(request)
  const lines = rows.map(({ id, heading, firstDay, lastDay, audience, entries, metres }) => [
    link(`/journeys/${id}`, heading),
    dashed(firstDay),
    untilWords(lastDay),
    audience,
    entries,
    kilometres(metres),
  ])
  const fields = html`${input('Name', 'heading')}${input('First day', 'first_day', '', 'date')}
  ${input('Last day', 'last_day', '', 'date')}${area('About it', 'blurb')}${select('For', 'audience', audiences)}`
  const body = html`<h1>Journeys</h1>
    <p>${['any', 'ahead', 'underway', 'behind'].map((phase) => html`${link(`/journeys?phase=${phase}`, phase)} `)}</p>
    ${listing(request, '/journeys', ['Journey', 'From', 'Until', 'For', 'Entries', 'Way'], lines, olderThan)}
    <h2>New journey</h2>
    ${form(request, '/journeys', fields, 'Begin')}`
  return ownPage(request, 'Journeys', body)
}

function detail(request: SignedIn): Reply {
  const { db, query } = request
  const journey = ownJourney(request)
  const path = `/journeys/${journey.id}`
  const lines = listEntries(db, journey.id).map(({ id, heading, spot, at, zone, media, remarks }) => [
    clockIn(at, zone),
    link(`/entries/${id}`, heading),
    spot.label,
    media.length,
    remarks,
  ])
  const fields = html`${input('Place', 'named')}${input('When', 'wall', '', 'datetime-local')}
  ${input('Time zone', 'zone', homeZone(request))}${input('Heading', 'heading')}${area('Story', 'narrative')}
  ${area('Addresses of pictures and films, one a line', 'gallery')}`
  const lands = landsOf(db, journey.id).map(landName).join(', ')
  const body = html`<h1 dir="auto">${journey.heading}</h1>
    ${query.has('audience') && html`<p class="card" role="status">Now for: ${journey.audience}.</p>`}
    <p>${dashed(journey.firstDay)} to ${untilWords(journey.lastDay)} · ${kilometres(journey.metres)} · ${lands}</p>
    <p class="small" dir="auto">${journey.companions.join(', ')}</p>
    <p class="text" dir="auto">${journey.blurb}</p>
    <p>${link(`/see/${journey.id}`, 'As others see it')}</p>
    ${form(request, `${path}/audience`, select('For', 'audience', audiences, journey.audience), 'Save')}
    ${table(['When', 'Entry', 'Where', 'Pictures', 'Remarks'], lines)}
    <h2>New entry</h2>
    ${form(request, `${path}/entries`, fields, 'Write it down')}`
  return ownPage(request, journey.heading, body)
}

function submitJourney(request: SignedIn): Reply {
  const fields: Fields = readForm(request.form, ['heading', 'first_day', 'last_day', 'blurb', 'audience'])
  for (const name of ['first_day', 'last_day']) {
    const day = fields[name]
    if (typeof day === 'string') fields[name] = Number(day.replaceAll('-', ''))
  }
  return seeOther(`${root}/journeys/${createJourney(request, fields).id}?begun=yes`)
}

function submitAudience(request: SignedIn): Reply {
  const journey = ownJourney(request)
  const audience = setAudience(request, journey, readForm(request.form, ['audience']))
  return seeOther(`${root}/journeys/${journey.id}?audience=${audience}`)
}

function submitEntry(request: SignedIn): Reply {
  const { named, wall, gallery, ...rest } = readForm(request.form, [
    'named',
    'wall',
    'zone',
    'heading',
    'narrative',
    'gallery',
  ])
  const zone = rest['zone'] ?? homeZone(request)
  const at = isZone(zone) ? momentOf(wall ?? '', zone) : undefined
  if (at === undefined) throw invalid('MOMENT_INVALID', 'A date, a time and a time zone are needed.', 'wall')
  const fields = {
    ...rest,
    zone,
    at,
    ...(named === undefined ? {} : { spot: { named } }),
    ...(gallery === undefined ? {} : { gallery: gallery.split('\n').filter((line) => line.trim() !== '') }),
  }
  const { entry, told } = addEntry(request, fields)
  return seeOther(`${root}/entries/${entry.id}?told=${told}`)
}

export const journeyPages: readonly Route[] = [
  show('GET /journeys', list),
  submit('POST /journeys', submitJourney),
  show('GET /journeys/{id}', detail),
  submit('POST /journeys/{id}/audience', submitAudience),
  submit('POST /journeys/{id}/entries', submitEntry),
]
