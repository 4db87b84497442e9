import { html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { text } from '../platform/rows.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { createAlert, listAlerts, listMails, ownAlert, rhythms } from './alerts.ts'
import { runFeed } from './feed.ts'
import { allowanceOf, fileOut, listFiles } from './files.ts'
import { criteriaFields, deskPage, form, input, jsonForm, jsonScript, link, listing, root, select } from './layout.ts'
import { listSaved } from './saved.ts'
import { investors, ownRow } from './tables.ts'

/** The page's own words behind a form are no filter of the list. */
function listRequest(request: SignedIn): SignedIn {
  const query = new URLSearchParams(request.query)
  for (const name of ['done', 'home', 'listings', 'mails']) query.delete(name)
  return { ...request, query }
}

function savedPage(asked: SignedIn): Reply {
  const request = listRequest(asked)
  const list = listing(request, 'saved', listSaved(request), ['Home', 'Kind', 'Price', 'Stars', 'Memo'], (item) => [
    link(`homes/${item.home}`, item.street),
    item.kind,
    item.ask,
    item.stars,
    html`<div class="text">${item.memo}</div>`,
  ])
  const unlisted = html`${input('Address off the market', 'street')} ${input('Price (USD 245000)', 'ask')}`
  const body = html`${list} ${jsonForm('POST', 'api/workups', 'Analyze and save', unlisted)} ${jsonScript}`
  return deskPage(request, 'Saved homes', body)
}

function alertPage(asked: SignedIn): Reply {
  const request = listRequest(asked)
  const list = listing(request, 'alerts', listAlerts(request), ['Place', 'Asks for', 'Every', 'Mails'], (item) => [
    link(`alerts/${item.alert}`, item.place),
    JSON.stringify(item.crit),
    item.every,
    item.mails,
  ])
  const fields = html`${input('Where', 'where')} ${select('Every', 'every', rhythms)} ${criteriaFields}`
  return deskPage(request, 'Alerts', html`${list} ${form(request, 'alerts', 'New alert', fields)}`)
}

function alertDetail(request: SignedIn): Reply {
  const { alert, place, crit, every, made, mails } = ownAlert(request)
  const body = html`<p>${JSON.stringify(crit)}, every ${every}, since ${made}</p>
    <p>${link(`mails?alert=${alert}`, `${mails} mails`)}</p>`
  return deskPage(request, place, body)
}

function filePage(request: SignedIn): Reply {
  const [sheets, pdfs] = [allowanceOf(request, 'sheet'), allowanceOf(request, 'pdf')]
  const list = listing(request, 'files', listFiles(request), ['Title', 'Kind', 'Made'], (item) => [
    link(`files/${item.file}`, item.title),
    item.kind,
    item.made,
  ])
  const used = html`<p>This month: ${sheets.used} of ${sheets.of} sheets, ${pdfs.used} of ${pdfs.of} reports.</p>`
  return deskPage(request, 'Files', html`${used} ${list}`)
}

function fileDetail(request: SignedIn): Reply {
  const { file, title, kind, made } = fileOut(ownRow(request, 'files', request.params['file']))
  return deskPage(request, title, html`<p>${kind}, ${made}: ${link(`files/${file}/download`, 'download')}</p>`)
}

function download(request: SignedIn): Reply {
  const row = ownRow(request, 'files', request.params['file'])
  const [type, ending] = text(row, 'kind') === 'sheet' ? ['text/csv; charset=utf-8', 'csv'] : ['application/pdf', 'pdf']
  const name = `attachment; filename="${fileOut(row).file}.${ending}"`
  return { status: 200, headers: { 'content-type': type, 'content-disposition': name }, body: text(row, 'body') }
}

function mailPage(asked: SignedIn): Reply {
  const request = listRequest(asked)
  const list = listing(request, 'mails', listMails(request), ['To', 'Subject', 'Words', 'Sent'], (item) => [
    item.to,
    item.subject,
    html`<div class="text">${item.words}</div>`,
    item.sent,
  ])
  const feed = form(request, 'feed', 'Let new listings come in', input('Days', 'days', '1'))
  return deskPage(request, 'Mails', html`${list} ${feed}`)
}

function alertMade(request: SignedIn): Reply {
  const { alert, place } = createAlert(request)
  return seeOther(`${root}/alerts/${alert}?done=made&place=${encodeURIComponent(place)}`)
}

function feedRun(request: SignedIn): Reply {
  const { listings, mails } = runFeed(request)
  return seeOther(`${root}/mails?done=feed&listings=${listings}&mails=${mails}`)
}

export const deskPages: readonly Route[] = [
  show('GET /saved', investors(savedPage)),
  show('GET /alerts', investors(alertPage)),
  submit('POST /alerts', investors(alertMade)),
  show('GET /alerts/{alert}', investors(alertDetail)),
  show('GET /files', investors(filePage)),
  show('GET /files/{file}', investors(fileDetail)),
  show('GET /files/{file}/download', investors(download)),
  show('GET /mails', investors(mailPage)),
  submit('POST /feed', investors(feedRun)),
]
