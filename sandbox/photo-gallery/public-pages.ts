import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import type { AppRequest, Reply, Route } from '../platform/types.ts'
import { payableBill, payBill } from './bills.ts'
import { dashed } from './clock.ts'
import type { Gallery } from './entities.ts'
import { fileNames } from './frames.ts'
import { publicGallery } from './galleries.ts'
import { addGrab, addHeart, mayEnter } from './guests.ts'
import { layout, root } from './layout.ts'
import { amount } from './money.ts'

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>Galleries for photographers and the people they photograph</h1>
    <p>Guests come by the link that they were sent. <a href="${root}/sign-in">Studios sign in here.</a></p>`
  return page(layout({ title: 'Prooflight', body, viewer }))
}

const galleryOf = ({ db, params }: AppRequest): Gallery => publicGallery(db, params['key'] ?? '')

function frontDoor(request: AppRequest): Reply {
  const gallery = galleryOf(request)
  if (gallery.password === null) return inside(request, gallery, '')
  const body = html`<h1 dir="auto">${gallery.title}</h1>
    <form class="narrow" method="post">
      <label>Password <input type="password" name="password" required /></label><button>Enter</button>
    </form>`
  return page(layout({ title: gallery.title, body, viewer: undefined }))
}

function inside({ db, query }: AppRequest, gallery: Gallery, password: string): Reply {
  const path = `${root}/g/${gallery.key}`
  const hidden = html`<input type="hidden" name="password" value="${password}" />
    <label>Your e-mail <input type="email" name="who" required /></label>`
  const body = html`<h1 dir="auto">${gallery.title}</h1>
    ${query.has('done') && html`<p class="box">Thank you.</p>`}
    <form class="box" method="post" action="${path}/hearts">
      ${hidden}
      <label
        >Photo
        <select name="file">
          ${fileNames(db, gallery.serial).map((file) => html`<option>${file}</option>`)}
        </select></label
      >
      <label>Remark <textarea name="remark" dir="auto"></textarea></label><button>Add to favourites</button>
    </form>
    <form class="box" method="post" action="${path}/grabs">
      ${hidden} ${gallery.pin !== null && html`<label>PIN <input name="pin" inputmode="numeric" required /></label>`}
      <button>Download all</button>
    </form>`
  return page(layout({ title: gallery.title, body, viewer: undefined }))
}

function enter(request: AppRequest): Reply {
  const gallery = galleryOf(request)
  const password = request.form.get('password') ?? ''
  mayEnter(gallery, password)
  return inside(request, gallery, password)
}

function heart(request: AppRequest): Reply {
  const gallery = galleryOf(request)
  addHeart(request, gallery)
  return seeOther(`${root}/g/${gallery.key}?done=heart`)
}

function grab(request: AppRequest): Reply {
  const gallery = galleryOf(request)
  addGrab(request, gallery)
  return seeOther(`${root}/g/${gallery.key}?done=grab`)
}

function payPage({ db, params }: AppRequest): Reply {
  const bill = payableBill(db, params['key'] ?? '')
  const left = bill.cents - bill.settled
  const body = html`<h1>Bill ${bill.number}</h1>
    <p>${amount(bill.cents)} ${bill.money}, due ${dashed(bill.dueDay)}</p>
    ${
      left > 0
        ? html`<form method="post"><button>Pay ${amount(left)} ${bill.money}</button></form>`
        : html`<p class="box">Paid. Thank you.</p>`
    }`
  return page(layout({ title: `Bill ${bill.number}`, body, viewer: undefined }))
}

function pay(request: AppRequest): Reply {
  const bill = payableBill(request.db, request.params['key'] ?? '')
  payBill(request, bill)
  return seeOther(`${root}/pay/${bill.key}`)
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /g/{key}', frontDoor),
  open('POST /g/{key}', enter),
  open('POST /g/{key}/hearts', heart),
  open('POST /g/{key}/grabs', grab),
  open('GET /pay/{key}', payPage),
  open('POST /pay/{key}', pay),
]
