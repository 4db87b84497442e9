import { html, type Html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { table } from '../platform/shell.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { airClip, listClips, ownClip, seriesOf } from './clips.ts'
import { offsetTime } from './clock.ts'
import { input, jsonForm, link, listing, root, select, studioPage, ticket } from './layout.ts'
import { asOfNow } from './paging.ts'
import { listSeries, ownSeries, seriesFull } from './series.ts'
import { ownStudio } from './tables.ts'
import { airings, clipFull } from './wire.ts'

const search = (query: URLSearchParams, more?: Html): Html =>
  html`<form>
    <input name="find" value="${query.get('find')}" aria-label="Heading" dir="auto" /> ${more} <button>Find</button>
  </form>`

const upload = jsonForm(
  'POST',
  '/api/clips',
  'Upload',
  html`${input('Address of the file', 'source')} ${input('Heading', 'heading')} ${input('Blurb', 'blurb')}
  ${input('Shelves (ids)', 'shelves', 'list')}`,
)

const clipList = (request: SignedIn): Reply =>
  studioPage(
    request,
    'Clips',
    html`<h1>Clips</h1>
      ${search(request.query, select('Airing', 'airing', ['', ...airings]))}
      ${listing(
        request,
        'clips',
        listClips(request),
        ['Clip', 'Heading', 'Airing', 'Goes out', 'Shelves', 'Encoding'],
        (clip) => [
          link(`clips/${clip.clip}`, clip.clip),
          clip.heading,
          clip.airing,
          clip['goes-out'],
          clip.shelves.join(', '),
          clip.encoding,
        ],
      )}
      ${upload}`,
  )

function airForm({ viewer, now }: SignedIn, path: string, zone: string): Html {
  return html`<form class="card" method="post" action="${path}/air">
    <h2>Put on air</h2>
    ${ticket(viewer)} ${select('When', 'when', ['now', 'later'])}
    <label>Goes out (later only) <input name="goes-out" placeholder="${offsetTime(now + 86_400, zone)}" /></label>
    ${select('Coming-soon teaser (later only)', 'teaser', ['no', 'yes'])}
    ${select('E-mail the members', 'tell-members', ['no', 'yes'])}<button>Put on air</button>
  </form>`
}

function clipDetail(request: SignedIn): Reply {
  const { query, now } = request
  const { zone } = ownStudio(request)
  const row = ownClip(request)
  const clip = clipFull(row, asOfNow(now), zone, seriesOf(request, row))
  const path = `/clips/${clip.clip}`
  const body = html`<h1 dir="auto">${clip.heading}</h1>
    ${query.has('done') && html`<p class="card">Done: ${query.get('done')}, ${query.get('mailed')} e-mails.</p>`}
    ${table(
      ['Airing', 'Goes out', 'Encoding', 'Teaser', 'Labels', 'Shelves', 'Series'],
      [
        [
          clip.airing,
          clip['goes-out'],
          clip.encoding,
          clip.teaser ? 'yes' : 'no',
          clip.labels.join(', '),
          clip.shelves.join(', '),
          clip['in-series'].map((id) => html`${link(`series/${id}`, id)} `),
        ],
      ],
    )}
    <p class="text" dir="auto">${clip.blurb}</p>
    ${clip.airing === 'hidden' && airForm(request, `${root}/studio${path}`, zone)}
    ${jsonForm(
      'PATCH',
      `/api${path}`,
      'Edit',
      html`${input('Heading', 'heading', '', clip.heading)} ${input('Blurb', 'blurb')}
      ${input('Labels', 'labels', 'list')} ${input('Shelves', 'shelves', 'list')}`,
    )}`
  return studioPage(request, clip.heading, body)
}

function submitAir(request: SignedIn): Reply {
  return seeOther(`${root}/studio/clips/${request.params['clip']}?${airClip(request).toString()}`)
}

const seriesList = (request: SignedIn): Reply =>
  studioPage(
    request,
    'Series',
    html`<h1>Series</h1>
      ${search(request.query)}
      ${listing(request, 'series', listSeries(request), ['Series', 'Heading', 'Airing', 'Clips'], (series) => [
        link(`series/${series.series}`, series.series),
        series.heading,
        series.airing,
        series['clip-count'],
      ])}
      ${jsonForm(
        'POST',
        '/api/series',
        'New series',
        html`${input('Heading', 'heading')} ${select('Gate', 'gate', ['members', 'open'])}
        ${input('Clips (ids)', 'clips', 'list')} ${input('Shelves (ids)', 'shelves', 'list')}`,
      )}`,
  )

function seriesDetail(request: SignedIn): Reply {
  const series = seriesFull(request, ownSeries(request))
  const order = series['running-order']
  const rows = order.map((entry) =>
    'caption' in entry
      ? [html`<b>${entry.caption}</b>`]
      : [entry.heading, link(`clips/${entry.clip}`, entry.clip), `${entry['unlock-after-ms'] / 86_400_000} days`],
  )
  const body = html`<h1 dir="auto">${series.heading}</h1>
    <p>${series.airing} · ${series.gate} · ${series.shelves.join(', ')}</p>
    <p class="text" dir="auto">${series.blurb}</p>
    ${table(['Clip', '', 'Unlocks after'], rows)}
    ${jsonForm(
      'PATCH',
      `/api/series/${series.series}/running-order`,
      'Running order',
      html`<textarea name="running-order" data-as="json" aria-label="Running order">
${JSON.stringify(order)}</textarea>`,
    )}`
  return studioPage(request, series.heading, body)
}

export const clipPages: readonly Route[] = [
  show('GET /studio/clips', clipList),
  show('GET /studio/clips/{clip}', clipDetail),
  submit('POST /studio/clips/{clip}/air', submitAir),
  show('GET /studio/series', seriesList),
  show('GET /studio/series/{series}', seriesDetail),
]
