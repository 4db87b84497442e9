import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { file, markRead, note, ownThread, reply, share } from './actions.ts'
import { listAds } from './ads.ts'
import { boxes, deals, refOf, type Line, type Thread } from './entities.ts'
import { button, layout, pageLinks, price, root, token } from './layout.ts'
import { cut, readChoice, readPage } from './paging.ts'
import { linesOf, listThreads, memosOf, type Place, type ThreadRow } from './threads.ts'
import { listWanted } from './wanted.ts'
import { stamp } from './wire.ts'

const row = ({ thread, last }: ThreadRow): Html =>
  html`<tr>
    <td>
      <a href="${root}/inbox/${thread.id}" dir="auto">${thread.name}</a>
      ${thread.fresh > 0 && html`<b>(${thread.fresh})</b>`}
    </td>
    <td>${refOf(thread.ad)}</td>
    <td>${thread.box}</td>
    <td dir="auto">${last.text.slice(0, 80)}</td>
    <td>${stamp(last.at)}</td>
  </tr>`

function inbox({ db, viewer, query }: SignedIn): Reply {
  const wish = readPage<Place>(query, () => undefined)
  const chosen = query.has('box') ? readChoice(query, 'box', boxes) : (['fresh', 'open'] as const)
  const found = listThreads(db, viewer.account.account, { boxes: chosen, ad: undefined, since: 0 }, wish)
  const { rows, last } = cut(found.rows, wish.size)
  const body = html`<h1>Inbox</h1>
    <p>${boxes.map((box) => html`<a href="?box=${box}">${box}</a> · `)}<a href="?box=any">any</a></p>
    <table>
      <tr>
        <th>From</th>
        <th>Ad</th>
        <th>Box</th>
        <th>Last</th>
        <th>When (UTC)</th>
      </tr>
      ${rows.map(row)}
    </table>
    ${pageLinks('/inbox', query, wish.page ?? 1, last !== undefined)}`
  return page(layout({ title: 'Inbox', body, viewer }))
}

const bubble = (line: Line): Html =>
  html`<div class="line ${line.dir}" id="l${line.id}">
    <p class="small"><span dir="auto">${line.author}</span>, ${stamp(line.at)} UTC</p>
    <p class="text" dir="auto">${line.text}</p>
    ${line.ads.map((serial) => html`<p><a href="${root}/ad/${refOf(serial)}">${refOf(serial)}</a></p>`)}
  </div>`

function writeForms({ db, viewer }: SignedIn, thread: Thread, path: string): Html {
  const wish = { page: 1, size: 100, offset: 0, before: undefined }
  const { ads } = listAds(db, viewer.account.account, { phases: ['online'], deals }, wish)
  const choices = ads
    .filter((ad) => ad.serial !== thread.ad)
    .map((ad) => html`<option value="${refOf(ad.serial)}">${refOf(ad.serial)} ${ad.headline}</option>`)
  return html`<form class="card" method="post" action="${root}${path}/reply">
      ${token(viewer)}<label>Your answer <textarea name="text" dir="auto" required></textarea></label
      ><button>Send</button>
    </form>
    <form class="card" method="post" action="${root}${path}/share">
      ${token(viewer)}<label
        >Share other ads
        <select name="refs" multiple size="4">
          ${choices}
        </select></label
      >
      <label>A few words <input name="text" dir="auto" /></label><button>Share</button>
    </form>
    <form class="card" method="post" action="${root}${path}/memo">
      ${token(viewer)}<label>Note for your team only <input name="text" dir="auto" required /></label
      ><button>Keep</button>
    </form>`
}

function talk(request: SignedIn): Reply {
  const { db, viewer } = request
  const thread = ownThread(request)
  const path = `/inbox/${thread.id}`
  const body = html`<h1 dir="auto">${thread.name}</h1>
    <p>
      About <a href="${root}/my/ads/${refOf(thread.ad)}">${refOf(thread.ad)}</a> ·
      <b data-box="${thread.box}">${thread.box}</b> · ${thread.email} · ${thread.phone}
    </p>
    <p>
      ${thread.box === 'fresh' && button(viewer, `${path}/read`, 'Mark as read')}
      ${button(viewer, `${path}/done`, 'Done')} ${button(viewer, `${path}/shelve`, 'Shelve')}
    </p>
    ${linesOf(db, thread.id).map(bubble)}
    <h2>Notes</h2>
    ${memosOf(db, thread.id).map((memo) => html`<p class="card text" dir="auto">${memo.text}<br /><span class="small">${memo.author}, ${stamp(memo.at)}</span></p>`)}
    ${writeForms(request, thread, path)}`
  return page(layout({ title: thread.name, body, viewer }))
}

function wanted({ db, viewer, query }: SignedIn): Reply {
  const wish = readPage<number>(query, () => undefined)
  const found = listWanted(db, viewer.account, wish, readChoice(query, 'deal', deals))
  const { rows, last } = cut(found.wanted, wish.size)
  const body = html`<h1>What people look for</h1>
    <table>
      <tr>
        <th>No</th>
        <th>Deal</th>
        <th>Where</th>
        <th>Up to</th>
        <th>Bedrooms</th>
        <th>Talk</th>
      </tr>
      ${rows.map(
        (item) =>
          html`<tr>
            <td>W-${item.id}</td>
            <td>${item.deal}</td>
            <td dir="auto">${item.area}</td>
            <td>${price(item.cents, item.currency)}</td>
            <td>${item.rooms}+</td>
            <td><a href="${root}/inbox/${item.thread}">${item.thread}</a></td>
          </tr>`,
      )}
    </table>
    ${pageLinks('/wanted', query, wish.page ?? 1, last !== undefined)}`
  return page(layout({ title: 'Wanted', body, viewer }))
}

/** Back to the conversation: `sent` is the number of the line that the form made. */
const after = (request: SignedIn, what: string): Reply => seeOther(`${root}/inbox/${request.params['thread']}?${what}`)

export const inboxPages: readonly Route[] = [
  show('GET /inbox', inbox),
  show('GET /inbox/{thread}', talk),
  submit('POST /inbox/{thread}/reply', (request) =>
    after(request, `sent=${reply(request, request.form.get('text')).id}`),
  ),
  submit('POST /inbox/{thread}/share', (request) =>
    after(
      request,
      `sent=${share(request, { refs: request.form.getAll('refs'), text: request.form.get('text') ?? '' }).id}`,
    ),
  ),
  submit('POST /inbox/{thread}/memo', (request) =>
    after(request, `memo=${note(request, request.form.get('text')).id}`),
  ),
  submit('POST /inbox/{thread}/read', (request) => after(request, `box=${markRead(request).box}`)),
  submit('POST /inbox/{thread}/done', (request) => after(request, `box=${file(request, 'done').box}`)),
  submit('POST /inbox/{thread}/shelve', (request) => after(request, `box=${file(request, 'shelved').box}`)),
  show('GET /wanted', wanted),
]
