import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { clockIn, dashed } from './clock.ts'
import { idOf, type Gallery } from './entities.ts'
import { fileNames, upload } from './frames.ts'
import { createGallery, listGalleries, ownGallery } from './galleries.ts'
import { listGrabs, listHearts } from './guests.ts'
import { layout, olderLink, proof, root, table } from './layout.ts'
import { share } from './mails.ts'
import { cut, readSearch, readWish } from './parameters.ts'
import { ownStudio } from './studio.ts'

const galleryPath = ({ serial }: Gallery): string => `${root}/studio/galleries/${idOf('galleries', serial)}`

const dayWords = (day: string | null): string => (day === null ? '—' : dashed(day))

const galleryLine = (g: Gallery): Html =>
  html`<tr>
    <td><a href="${galleryPath(g)}" dir="auto">${g.title}</a></td>
    <td>${dayWords(g.shootDay)}</td>
    <td>${g.frames}</td>
    <td>${g.password !== null && 'password'} ${g.pin !== null && 'PIN'}</td>
  </tr>`

function galleryList(request: SignedIn): Reply {
  const { db, viewer, query } = request
  const search = readSearch(query)
  const name = `galleries ${search}`
  const wish = readWish(request, name)
  const { rows, token } = cut(request, name, listGalleries(db, viewer.account.account, search, wish).rows, wish)
  const body = html`<h1>Galleries</h1>
    <form><input name="filter[q]" value="${search}" aria-label="Title" dir="auto" /> <button>Find</button></form>
    ${table(['Title', 'Day', 'Photos', 'Needs'], rows.map(galleryLine))} ${olderLink('/studio/galleries', query, token)}
    <form class="box" method="post" action="${root}/studio/galleries">
      ${proof(viewer)}<label>Title <input name="title" required maxlength="200" dir="auto" /></label>
      <label>Day <input type="date" name="day" /></label><button>New gallery</button>
    </form>`
  return page(layout({ title: 'Galleries', body, viewer }))
}

function forms(request: SignedIn, gallery: Gallery): Html {
  const { viewer } = request
  return html`<form class="box" method="post" action="${galleryPath(gallery)}/share">
      <h2>Share</h2>
      ${proof(viewer)}<label>E-mail addresses, one a line <textarea name="to" required></textarea></label>
      <label>Personal note <textarea name="note" dir="auto"></textarea></label><button>Send invites</button>
    </form>
    <form class="box" method="post" action="${galleryPath(gallery)}/frames">
      <h2>Add photos</h2>
      ${proof(viewer)}<label>Addresses of images, one a line <textarea name="sources" required></textarea></label>
      <button>Fetch them</button>
    </form>`
}

function galleryDetail(request: SignedIn): Reply {
  const { db, viewer, base } = request
  const gallery = ownGallery(request)
  const { zone } = ownStudio(request)
  const hearts = listHearts(db, gallery.serial, undefined).map(
    (heart) =>
      html`<tr>
        <td>${heart.file}</td>
        <td class="text" dir="auto">${heart.remark}</td>
        <td>${heart.who}</td>
      </tr>`,
  )
  const grabs = listGrabs(db, gallery.serial).map(
    (grab) =>
      html`<tr>
        <td>${grab.who}</td>
        <td>${grab.files}</td>
        <td>${clockIn(zone, grab.made)}</td>
      </tr>`,
  )
  const body = html`<h1 dir="auto">${gallery.title}</h1>
    <p>
      ${dayWords(gallery.shootDay)} · ${gallery.frames} photos ·
      <a href="${base}/g/${gallery.key}">as guests see it</a> · ${gallery.password === null ? 'open' : 'with password'}
      · ${gallery.pin === null ? 'free download' : 'download by PIN'} · ${gallery.invited} invited
    </p>
    ${forms(request, gallery)}
    <h2>Favourites</h2>
    ${table(['Photo', 'Remark', 'Guest'], hearts)}
    <h2>Downloads</h2>
    ${table(['Guest', 'Photos', `When (${zone})`], grabs)}
    <h2>Photos</h2>
    <p class="small">${fileNames(db, gallery.serial).join(', ')}</p>`
  return page(layout({ title: gallery.title, body, viewer }))
}

function submitGallery(request: SignedIn): Reply {
  const day = (request.form.get('day') ?? '').replaceAll('-', '')
  const attributes = { title: request.form.get('title'), ...(day === '' ? {} : { shoot_day: day }) }
  return seeOther(`${galleryPath(createGallery(request, { attributes, related: {} }))}?done=created`)
}

function submitFrames(request: SignedIn): Reply {
  const gallery = ownGallery(request)
  const sources = (request.form.get('sources') ?? '').split('\n').map((line) => line.trim())
  const data = sources.filter((line) => line !== '').map((source) => ({ type: 'frames', attributes: { source } }))
  const { stored, rejects } = upload(request, gallery, data)
  return seeOther(`${galleryPath(gallery)}?stored=${stored.length}&rejected=${rejects.length}`)
}

function submitShare(request: SignedIn): Reply {
  const gallery = ownGallery(request)
  const { batch, to } = share(request, gallery)
  return seeOther(`${galleryPath(gallery)}?invited=${to.length}&batch=${batch}`)
}

export const galleryPages: readonly Route[] = [
  show('GET /studio/galleries', galleryList),
  submit('POST /studio/galleries', submitGallery),
  show('GET /studio/galleries/{gallery}', galleryDetail),
  submit('POST /studio/galleries/{gallery}/frames', submitFrames),
  submit('POST /studio/galleries/{gallery}/share', submitShare),
]
