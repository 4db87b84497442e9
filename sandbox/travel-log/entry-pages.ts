import { html, type Html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { clockIn } from './clock.ts'
import { addMedia, editEntry, ownEntry } from './entries.ts'
import { readForm } from './input.ts'
import { area, form, input, ownPage, root } from './layout.ts'
import { answerRemark, listRemarks, type Remark } from './remarks.ts'

const remarkCard = (request: SignedIn, remark: Remark): Html =>
  html`<section class="card" id="remark-${remark.id}">
    <p class="text" dir="auto">
      <b>${remark.called}</b> <span class="small">${clockIn(remark.at, 'UTC')} UTC</span> ${remark.words}
    </p>
    ${remark.answers.map(({ words, at }) => html`<p class="text" dir="auto">↳ ${words} <span class="small">${clockIn(at, 'UTC')} UTC</span></p>`)}
    ${form(request, `/remarks/${remark.id}/answers`, area('Answer, for all who see it', 'words'), 'Answer')}
  </section>`

function detail(request: SignedIn): Reply {
  const entry = ownEntry(request)
  const { id, heading, spot, at, zone, story, media } = entry
  const fields = html`${input('Heading', 'heading', heading)}${area('Story', 'narrative', story)}`
  const body = html`<p><a href="${root}/journeys/${entry.journey}">The journey</a></p>
    <h1 dir="auto">${heading}</h1>
    ${request.query.has('answer') && html`<p class="card" role="status">Answered.</p>`}
    <p dir="auto">
      ${spot.label}, ${clockIn(at, zone)} (${zone})
      ${spot.geo && html`<span class="small">${spot.geo.lat6 / 1e6}, ${spot.geo.lng6 / 1e6}</span>`}
    </p>
    <p class="text" dir="auto">${story}</p>
    <ul>
      ${media.map((address) => html`<li><a href="${address}" rel="noreferrer">${address}</a></li>`)}
    </ul>
    ${form(request, `/entries/${id}/gallery`, area('More pictures and films, one address a line', 'gallery'), 'Add')}
    ${form(request, `/entries/${id}`, fields, 'Change')}
    <h2>Remarks</h2>
    ${listRemarks(request.db, id).map((remark) => remarkCard(request, remark))}`
  return ownPage(request, heading, body)
}

function submitEdit(request: SignedIn): Reply {
  const { id } = editEntry(request, readForm(request.form, ['heading', 'narrative']))
  return seeOther(`${root}/entries/${id}?changed=yes`)
}

function submitMedia(request: SignedIn): Reply {
  const { gallery = '' } = readForm(request.form, ['gallery'])
  const { entry, added } = addMedia(request, { gallery: gallery.split('\n').filter((line) => line.trim() !== '') })
  return seeOther(`${root}/entries/${entry.id}?added=${added}`)
}

function submitAnswer(request: SignedIn): Reply {
  const { remark, entry, answer } = answerRemark(request, readForm(request.form, ['words']))
  return seeOther(`${root}/entries/${entry}?remark=${remark}&answer=${answer}&at=${request.now}#remark-${remark}`)
}

export const entryPages: readonly Route[] = [
  show('GET /entries/{id}', detail),
  submit('POST /entries/{id}', submitEdit),
  submit('POST /entries/{id}/gallery', submitMedia),
  submit('POST /remarks/{id}/answers', submitAnswer),
]
