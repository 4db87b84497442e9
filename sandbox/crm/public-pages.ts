import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { Refusal, type AppRequest, type Reply, type Route } from '../platform/types.ts'
import { linesTable } from './bill-pages.ts'
import { findSentBill } from './bills.ts'
import { billNumber, type Paper } from './entities.ts'
import { globalId } from './ids.ts'
import { layout, price, root, words } from './layout.ts'
import { tellStudio } from './mails.ts'
import { answerPaper, findSentPaper, markSeen } from './papers.ts'

/** What a client sees, who has a link and no account. */

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>Atelio</h1>
    <p>Inquiries, papers and bills for people who make things for other people.</p>
    <p><a href="${root}/engagements">To my studio</a></p>`
  return page(layout({ title: 'Atelio', body, viewer }))
}

const sentPaper = ({ db, params }: AppRequest): Paper => findSentPaper(db, params['key'] ?? '')

const answerForm = (paper: Paper, action: string): Html =>
  html`<form class="card" method="post" action="${action}">
    ${paper.prompts.map(
      ({ text, type }, index) =>
        html`<label dir="auto"
          >${text} ${type === 'CHOICES' && html`<span class="hint">(one a line)</span>`}<textarea
            name="reply${index}"
            dir="auto"
          >
${(paper.replies[index] ?? []).join('\n')}</textarea>
        </label>`,
    )}
    <button>${paper.kind === 'CONTRACT' ? 'Sign' : 'Hand in'}</button>
  </form>`

function paperPage(request: AppRequest): Reply {
  const paper = sentPaper(request)
  const path = `${root}/p/${request.params['key']}`
  const isOpen = paper.phase === 'SEEN' || (paper.phase === 'DONE' && paper.kind === 'SURVEY')
  const body = html`<h1 dir="auto">${paper.name}</h1>
    <p>${words[paper.kind]} for <span dir="auto">${paper.engagement.headline}</span></p>
    ${paper.phase === 'OUT' && html`<form method="post" action="${path}/open"><button>Open</button></form>`}
    ${isOpen && answerForm(paper, `${path}/answer`)} ${!isOpen && paper.phase !== 'OUT' && html`<p>Thank you.</p>`}`
  return page(layout({ title: paper.name, body, viewer: undefined }))
}

function opened(request: AppRequest): Reply {
  const paper = markSeen(request.db, sentPaper(request))
  request.effect('client.open', { id: globalId('Paper', paper.id), phase: paper.phase })
  return seeOther(`${root}/p/${request.params['key']}`)
}

/** The studio gets a message. */
function answered(request: AppRequest): Reply {
  const { db, form, now } = request
  const before = sentPaper(request)
  const replies = before.prompts.map(({ type }, index) => {
    const text = (form.get(`reply${index}`) ?? '').replaceAll('\r\n', '\n').trim()
    if (text.length > 5000) throw new Refusal(422, 'ARGUMENT_INVALID', 'An answer is too long.', `reply${index}`)
    return (type === 'CHOICES' ? text.split('\n') : [text]).filter((value) => value !== '')
  })
  if (before.kind !== 'SURVEY' && (replies[0]?.length ?? 0) === 0) {
    throw new Refusal(422, 'ARGUMENT_MISSING', 'Please fill in the first field.', 'reply0')
  }
  const paper = answerPaper(db, before, replies, now)
  const subject = `${paper.name}: ${paper.kind === 'CONTRACT' ? 'signed, please countersign' : 'handed in'}`
  tellStudio(db, paper.account, { subject, text: paper.engagement.headline, at: now })
  request.effect('client.answer', { id: globalId('Paper', paper.id), phase: paper.phase, replies })
  return seeOther(`${root}/p/${request.params['key']}?done=1`)
}

function billPage({ db, params }: AppRequest): Reply {
  const bill = findSentBill(db, params['key'] ?? '')
  const body = html`<h1>Bill ${billNumber(bill.id)}</h1>
    <p dir="auto">${bill.engagement.headline}</p>
    ${linesTable(bill)}
    <p>
      Received ${price(bill.received, bill.currency)}, outstanding ${price(bill.total - bill.received, bill.currency)}.
    </p>`
  return page(layout({ title: billNumber(bill.id), body, viewer: undefined }))
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /p/{key}', paperPage),
  open('POST /p/{key}/open', opened),
  open('POST /p/{key}/answer', answered),
  open('GET /b/{key}', billPage),
]
